"""What holds for the times in any text, at any moment?"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from yiku.core.memory.dates import named_in, times_named
from yiku.model.facts import Precision

MOMENTS = st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC))
DATES = st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31))
PIECES = st.sampled_from(
    [
        *[
            "昨天",
            "下",
            "周",
            "三",
            "五",
            "月",
            "年",
            "日",
            "前",
            "后",
            "底",
            "两",
            "个",
            "2023",
            "31",
            "点",
            "半",
            "晚上",
            "国庆",
            "至",
        ],
        *[
            "last ",
            "next ",
            "in ",
            "two ",
            "week",
            "s ",
            "ago ",
            "May ",
            "Friday ",
            "31 ",
            "-",
            "at ",
            "3 pm ",
            "to ",
            "on ",
        ],
    ]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=12).map("".join)


@given(text=TEXTS, now=MOMENTS)
def test_named_times_lie_in_order_within_the_text_and_end_after_they_start(text: str, now: datetime) -> None:
    end = 0
    for named in named_in(text, now):
        assert end <= named.start < named.end <= len(text)
        assert named.when.start < named.when.end
        end = named.end


@given(day=DATES, now=MOMENTS)
def test_a_date_with_its_year_is_that_day_whenever_it_is_read(day: date, now: datetime) -> None:
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    spellings = [
        day.isoformat(),
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%B} {day.year}",
    ]
    for spelling in spellings:
        (when,) = times_named(f"it was {spelling}.", now)
        assert (when.start, when.end, when.precision) == (start, start + timedelta(days=1), Precision.DAY)
