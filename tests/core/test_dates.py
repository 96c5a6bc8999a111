"""Which times do Chinese and English words name, and which words only look like times?"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from yiku.core.memory.dates import times_named
from yiku.model.facts import Precision, When

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2023, 5, 24, 10, 30, tzinfo=ZONE)
"""A Wednesday."""

DAYS = [
    ("昨天去了杭州", "2023-05-23"),
    ("大前天下雨", "2023-05-21"),
    ("后天要体检", "2023-05-26"),
    ("昨晚没睡好", "2023-05-23"),
    ("今早跑了五公里", "2023-05-24"),
    ("下周三要开会", "2023-05-31"),
    ("上上周五请假了", "2023-05-12"),
    ("周五交了报告", "2023-05-19"),
    ("周五要交报告", "2023-05-26"),
    ("三天前吃了火锅", "2023-05-21"),
    ("我5月3日去了医院", "2023-05-03"),
    ("12月3日搬的家，住了半年了", "2022-12-03"),
    ("4月3日要去上海", "2024-04-03"),
    ("2024年7月13日", "2024-07-13"),
    ("二〇二三年五月一日", "2023-05-01"),
    ("下个月3号出发", "2023-06-03"),
    ("明年元旦", "2024-01-01"),
    ("I did it yesterday.", "2023-05-23"),
    ("the day before yesterday", "2023-05-22"),
    ("tonight", "2023-05-24"),
    ("last Friday I went", "2023-05-19"),
    ("I'm going next Tuesday", "2023-05-30"),
    ("Tuesday of next week", "2023-05-30"),
    ("Friday I went out", "2023-05-19"),
    ("My flight is on Monday", "2023-05-29"),
    ("I booked a table for Friday", "2023-05-26"),
    ("three days ago", "2023-05-21"),
    ("in 3 days", "2023-05-27"),
    ("I saw it on 5 May", "2023-05-05"),
    ("I was there on May 5th 2023", "2023-05-05"),
    ("the 5th of May, 2021", "2021-05-05"),
    ("I left on Dec 3", "2022-12-03"),
    ("2023-07-13", "2023-07-13"),
    ("2023/7/13", "2023-07-13"),
    ("last Christmas", "2022-12-25"),
]

SPANS = [
    ("上周去了巴黎", "2023-05-15", "2023-05-22", Precision.WEEK),
    ("两周后考试", "2023-06-05", "2023-06-12", Precision.WEEK),
    ("上个月买了车", "2023-04-01", "2023-05-01", Precision.MONTH),
    ("3个月前", "2023-02-01", "2023-03-01", Precision.MONTH),
    ("半年前", "2022-11-01", "2022-12-01", Precision.MONTH),
    ("我1990年5月出生", "1990-05-01", "1990-06-01", Precision.MONTH),
    ("明年5月结婚", "2024-05-01", "2024-06-01", Precision.MONTH),
    ("月底交房租", "2023-05-21", "2023-06-01", Precision.MONTH),
    ("年初辞职了", "2023-01-01", "2023-02-01", Precision.MONTH),
    ("前年", "2021-01-01", "2022-01-01", Precision.YEAR),
    ("2019年到2021年在上海", "2019-01-01", "2022-01-01", Precision.YEAR),
    ("上周末去爬山了", "2023-05-20", "2023-05-22", Precision.DAY),
    ("周末打算去爬山", "2023-05-27", "2023-05-29", Precision.DAY),
    ("5月1日到5日去了厦门", "2023-05-01", "2023-05-06", Precision.DAY),
    ("last week", "2023-05-15", "2023-05-22", Precision.WEEK),
    ("the week before last", "2023-05-08", "2023-05-15", Precision.WEEK),
    ("in two weeks I fly to Rome", "2023-06-05", "2023-06-12", Precision.WEEK),
    ("two weeks ago", "2023-05-08", "2023-05-15", Precision.WEEK),
    ("I moved last month", "2023-04-01", "2023-05-01", Precision.MONTH),
    ("what did I do last May", "2022-05-01", "2022-06-01", Precision.MONTH),
    ("I will go in June", "2023-06-01", "2023-07-01", Precision.MONTH),
    ("in 2019 I graduated", "2019-01-01", "2020-01-01", Precision.YEAR),
    ("from 2015 to 2019", "2015-01-01", "2020-01-01", Precision.YEAR),
    ("this weekend", "2023-05-27", "2023-05-29", Precision.DAY),
    ("June 3-5, 2023", "2023-06-03", "2023-06-06", Precision.DAY),
]

MINUTES = [
    ("明天下午三点开会", "2023-05-25 15:00"),
    ("明早八点半的火车", "2023-05-25 08:30"),
    ("周五晚上7点一刻要吃饭", "2023-05-26 19:15"),
    ("meeting at 3 pm tomorrow", "2023-05-25 15:00"),
    ("tomorrow at noon", "2023-05-25 12:00"),
    ("at 15:45 on Friday I will go", "2023-05-26 15:45"),
    ("2023-07-13 15:00", "2023-07-13 15:00"),
]

NO_TIMES = [
    *[
        "周杰伦的歌",
        "我姓周",
        "一周三次健身",
        "每周三开会",
        "他一周三天",
        "周一到周五上班",
        "周二限行",
        "毕业两年后去了北京",
    ],
    *["先天不足后天努力", "文三路5号", "5月5号楼", "最近", "前几天", "我今年29", "三个月", "2月30日", "五百万年前"],
    *[
        "what did we do",
        "we sat down",
        "May I ask",
        "they march on",
        "a second ago",
        "this may be wrong",
        "the sun is up",
    ],
    *[
        "I work on Mondays",
        "every Friday",
        "Black Friday",
        "recently",
        "in 2000 people",
        "once in a week",
        "version 1.2.3",
    ],
    *["I finished it in two weeks", "June 31", "my last year of college", "Jan is my friend", "call 2023-55"],
]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZONE)


@pytest.mark.parametrize(("text", "day"), DAYS)
def test_a_day(text: str, day: str) -> None:
    assert times_named(text, NOW) == (When(at(day), at(day) + timedelta(days=1), Precision.DAY),)


@pytest.mark.parametrize(("text", "start", "end", "precision"), SPANS)
def test_a_longer_time_is_as_long_as_it_was_told(text: str, start: str, end: str, precision: Precision) -> None:
    assert times_named(text, NOW) == (When(at(start), at(end), precision),)


@pytest.mark.parametrize(("text", "minute"), MINUTES)
def test_a_time_of_day_belongs_to_its_day(text: str, minute: str) -> None:
    assert times_named(text, NOW) == (When(at(minute), at(minute) + timedelta(minutes=1), Precision.MINUTE),)


@pytest.mark.parametrize("text", NO_TIMES)
def test_words_that_only_look_like_a_time_name_none(text: str) -> None:
    """B089: a weekday in a name, and words of every day that are months and weekdays too."""
    assert times_named(text, NOW) == ()


def test_a_full_date_is_that_day_and_not_its_month() -> None:
    """B088."""
    assert times_named("2024年7月13日我在哪", NOW) != times_named("2024年7月20日我在哪", NOW)
    assert times_named("2024年7月13日我在哪", NOW)[0].precision is Precision.DAY


def test_times_are_told_in_the_zone_of_the_moment() -> None:
    late = datetime(2023, 5, 24, 23, 30, tzinfo=timezone(timedelta(hours=-7)))
    (yesterday,) = times_named("yesterday", late)
    assert yesterday.start.isoformat() == "2023-05-23T00:00:00-07:00"


def test_each_time_of_a_text_is_named_once_in_its_order() -> None:
    times = times_named("昨天和前天都下雨，昨天更大", NOW)
    assert [time.start.day for time in times] == [23, 22]


@pytest.mark.parametrize(
    "unit", ["昨天", "5 May ", "last Friday ", "2023-", "下周", "at 3 pm ", "第", "in ", "三", "月"]
)
def test_sixty_thousand_characters_of_one_kind_are_no_trouble(unit: str) -> None:
    """A rule that backtracks over such a text would run into the time limit of the test."""
    assert len(times_named((unit * 60_000)[:60_000], NOW)) <= 1
