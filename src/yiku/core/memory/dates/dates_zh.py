"""Times in Chinese words: 昨天, 大前天, 下周三, 上个月, 三天前, 2024年7月13日, 明天下午三点, 年底.

周 begins names too (周杰伦), 一周三次 has no Wednesday, and 每周三 is a habit.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from yiku.core.memory.dates import dates_in_digits
from yiku.core.memory.dates.calendar import (
    FUTURE,
    PAST,
    UNTOLD,
    Moment,
    at_clock,
    is_one_day,
    months_later,
)
from yiku.core.memory.dates.naming import Named, Rule, found, joined_by
from yiku.core.memory.dates.numerals import CHINESE, chinese_number
from yiku.model.facts import When

_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_DAYS = {"大前天": -3, "前天": -2, "昨": -1, "今": 0, "明": 1, "后天": 2, "大后天": 3}
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}
_FEASTS = {"元旦": (1, 1), "情人节": (2, 14), "五一": (5, 1), "儿童节": (6, 1), "国庆节": (10, 1), "国庆": (10, 1),
           "平安夜": (12, 24), "圣诞节": (12, 25), "圣诞": (12, 25)}  # fmt: skip

_YEAR = r"(?P<year>(?:19|20)\d{2}|[一二][零〇一二三四五六七八九]{3})年"
_NEAR_YEAR = rf"(?P<near_year>{'|'.join(_YEARS)})(?:的)?"
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?:份)?"
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
_LAST_DAY = r"(?:(?:到|至|-|－|—|~|～)(?P<last_day>[12]\d|3[01]|0?[1-9])[日号])?"
_NOT_A_ROAD = r"(?!楼|线|院|店|码|门|房|馆|公寓|车|机)"
_NUMBER = rf"(?P<number>\d{{1,4}}|半|[{CHINESE}]{{1,4}})"
_WEEK = r"(?:周|星期|礼拜)"
_WHICH = r"(?P<which>上上|下下|上|下|这|本)"
_PART = r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|深夜|半夜|早|晚)?"
_AFTERNOON = ("下午", "傍晚", "晚上", "夜里", "深夜", "晚")

_FUTURE = re.compile(
    r"打算|准备|计划|将|预计|安排|提醒|预[约订]|希望|(?<![主重必首只])要(?!求|是|么|紧|点|不)"
    r"|(?<![不误])会(?!议|员|计)|得去|该去|记得|之前(?:要|得)|[订约挂抢](?:好|到|上)?了|买(?:好"
    r"|到)?了.{0,8}票|面试|考试|航班|航班|高铁|火车|婚礼|手术|聚会|开会|的会|比赛|演出|演唱会|有课"
)
_PAST = re.compile(r"了|过(?!敏|期|年|生日|节|来|去|两|几)|刚|曾|以前|当时|那天")
# Most texts name no time, and this is much faster than all the rules.
_HINT = re.compile(r"[天日周月年今昨明拜后前节]|星期|五一|元旦|平安夜|国庆|圣诞|(?:19|20)\d\d")
_CLOCK = re.compile(
    rf"(?:的)?(?:大概|大约)?{_PART}(?:的)?(?P<hour>[01]?\d|2[0-3]|十[一二]?|[一二两三四五六七八九])"
    r"(?:[:：](?P<minute>[0-5]\d)|[点时](?!钟?[左右]?[之以]?前)(?:(?P<half>半)|(?P<quarter>[一三])刻"
    rf"|(?P<minutes>[1-5]?\d|[{CHINESE}]{{1,3}})分)?)"
)
_JOINT = re.compile(r"(?:到|至|-|－|—|~|～)")


def named_in(text: str, now: datetime) -> list[Named]:
    """The times that Chinese words in `text` name, in order."""
    if not _HINT.search(text):
        return []
    named = [_with_clock(text, item) for item in found(text, now, _RULES, _tense)]
    return joined_by(text, named, _JOINT)


def _tense(sentence: str, start: int, end: int) -> int:
    around = sentence[:start] + "\n" + sentence[end:]
    if _FUTURE.search(around):
        return FUTURE
    return PAST if _PAST.search(around) else UNTOLD


def _with_clock(text: str, item: Named) -> Named:
    """The time of day after a day. Three o'clock without its half of the day is not sure: the day alone."""
    clock = _CLOCK.match(text, item.end) if is_one_day(item.when) else None
    if clock is None:
        return item
    hour = chinese_number(clock["hour"])
    part = clock["part"] or (text[item.end - 1] if text[item.end - 1] in "早晚" else text[item.end - 2 : item.end])
    if part in _AFTERNOON or (part == "中午" and hour < 11):
        hour += 12 if hour < 12 else 0
    elif hour < 13 and not clock["minute"] and part not in ("凌晨", "清晨", "早上", "早晨", "上午", "中午", "早"):
        return item
    minute = 30 if clock["half"] else int(clock["minute"] or 0)
    if clock["quarter"]:
        minute = 15 * chinese_number(clock["quarter"])
    if clock["minutes"]:
        minute = chinese_number(clock["minutes"])
    return replace(item, end=clock.end(), when=at_clock(item.when, hour, minute)) if minute < 60 else item


def _year_of(match: re.Match[str], moment: Moment) -> int | None:
    groups = match.groupdict()
    if groups.get("year"):
        return chinese_number(groups["year"])
    return moment.today.year + _YEARS[groups["near_year"]] if groups.get("near_year") else None


def _year(match: re.Match[str], moment: Moment) -> When:
    year = _year_of(match, moment)
    assert year is not None
    return moment.year(year)


def _month(match: re.Match[str], moment: Moment) -> When:
    month = chinese_number(match["month"])
    year = _year_of(match, moment)
    return moment.month(moment.tense_year(month) if year is None else year, month)


def _day_of_month(match: re.Match[str], moment: Moment) -> When:
    month, day = chinese_number(match["month"]), chinese_number(match["day"])
    year = _year_of(match, moment)
    first = moment.month(moment.tense_year(month, day) if year is None else year, month)
    return _days(match, moment, first, day)


def _day_of_near_month(match: re.Match[str], moment: Moment) -> When:
    return _days(match, moment, moment.months_away(_STEPS[match["which"]]), chinese_number(match["day"]))


def _days(match: re.Match[str], moment: Moment, month: When, day: int) -> When:
    last = match.groupdict().get("last_day")
    days = int(last) - day + 1 if last else 1
    if days < 1:
        raise ValueError(match.group())
    return moment.day(month.start.date().replace(day=day), days=days)


def _near_month(match: re.Match[str], moment: Moment) -> When:
    return moment.months_away(_STEPS[match["which"]])


def _near_day(match: re.Match[str], moment: Moment) -> When:
    day = match["day"]
    return moment.days_away(_DAYS[day] if day in _DAYS else _DAYS[day[0]])


def _near_week(match: re.Match[str], moment: Moment) -> When:
    weeks, weekday = _STEPS[match["which"]], match["weekday"]
    if not weekday:
        return moment.week(weeks)
    return moment.weekend(weeks) if weekday == "末" else moment.weekday(_WEEKDAYS[weekday], weeks)


def _weekday(match: re.Match[str], moment: Moment) -> When | None:
    if moment.tense == UNTOLD:
        return None  # 周二限行 may be every Tuesday.
    return moment.bare_weekday(_WEEKDAYS[match["weekday"]])


def _weekend(match: re.Match[str], moment: Moment) -> When:
    return moment.bare_weekend()


def _away(match: re.Match[str], moment: Moment) -> When | None:
    sign = -1 if match["side"] == "前" else 1
    if sign > 0 and moment.tense == PAST:
        return None  # 毕业两年后去了北京: not counted from today.
    unit = match["unit"][-1]
    if match["number"] == "半":
        if unit != "年":
            return None
        away = months_later(moment.today, sign * 6)
        return moment.month(away.year, away.month)
    number = sign * chinese_number(match["number"])
    if unit == "天":
        return moment.days_away(number)
    if unit == "年":
        return moment.year(moment.today.year + number)
    if unit == "月":
        away = months_later(moment.today, number)
        return moment.month(away.year, away.month)
    return moment.week_around(7 * number)


def _part_of_month(match: re.Match[str], moment: Moment) -> When:
    if match["month"]:
        month = _month(match, moment)
    else:
        month = moment.months_away(_STEPS[match["which"]] if match["which"] else 0)
    part = match["part"][0]
    if part in "初上":
        return moment.part_of_month(month, 1, 10)
    return moment.part_of_month(month, 11, 10) if part == "中" else moment.part_of_month(month, 21)


def _part_of_year(match: re.Match[str], moment: Moment) -> When:
    year = moment.today.year + (_YEARS[match["near_year"]] if match["near_year"] else 0)
    return moment.month(year, 1 if match["part"] == "初" else 12)


def _feast(match: re.Match[str], moment: Moment) -> When | None:
    month, day = _FEASTS[match["feast"]]
    year = _year_of(match, moment)
    if year is None and moment.tense == UNTOLD:
        return None  # 我喜欢圣诞节 speaks of no day.
    year = moment.tense_year(month, day) if year is None else year
    return moment.day(moment.month(year, month).start.date().replace(day=day))


_OF_ALL = r"(?<![每个\d一二两三四五六七八九十几半多])"
_RULES = (
    *dates_in_digits.RULES,
    Rule(re.compile(rf"(?<!\d){_YEAR}{_MONTH}{_DAY}{_LAST_DAY}"), _day_of_month),
    Rule(re.compile(rf"(?<!\d){_YEAR}{_MONTH}(?![\d初中底末上下])"), _month),
    Rule(re.compile(rf"(?<!\d){_YEAR}(?!级|代|款|版)"), _year),
    Rule(re.compile(rf"{_NEAR_YEAR}{_MONTH}{_DAY}{_LAST_DAY}"), _day_of_month),
    Rule(re.compile(rf"{_NEAR_YEAR}{_MONTH}(?![\d初中底末上下])"), _month),
    Rule(
        re.compile(
            r"(?P<near_year>大前年|前年|去年|今年|明年"
            r"|(?<![以之然])后年)(?![初底末夜])(?!.{0,5}岁)(?!满?\d{1,2}(?![\d月])"
            r"|满?[二三四五六七八九]?十[一二三四五六七八九]?(?!月))"
        ),
        _year,
    ),
    Rule(re.compile(rf"(?<![\d每个]){_MONTH}{_DAY}{_LAST_DAY}{_NOT_A_ROAD}"), _day_of_month),
    Rule(re.compile(rf"(?<![\d每个十几两三]){_MONTH}(?![\d初中底末上下饼亮光球子薪租经])"), _month),
    Rule(
        re.compile(rf"(?P<which>上上|下下|上|下|这|本|当)个?月(?P<day>\d{{1,2}})[日号]{_LAST_DAY}{_NOT_A_ROAD}"),
        _day_of_near_month,
    ),
    Rule(re.compile(r"(?P<which>上上|下下|上|下|这|本)个?月(?![初中底末\d])"), _near_month),
    Rule(
        re.compile(
            r"(?P<day>大前天|前天|昨天|昨日|今天|今日(?!头条)|明天|明日|大后天"
            r"|(?<![先之以然])后天(?![性养环努]))(?!见)"
            rf"(?:的)?{_PART}"
        ),
        _near_day,
    ),
    Rule(re.compile(r"(?P<day>昨|今|明)(?:晚上?|早上?|晨|夜)(?!已)"), _near_day),
    Rule(re.compile(rf"{_WHICH}个?{_WEEK}(?P<weekday>[一二三四五六日天末])?{_PART}(?![次个])"), _near_week),
    Rule(
        re.compile(
            rf"{_OF_ALL}(?<![上下这本]){_WEEK}(?P<weekday>[一二三四五六日天])"
            rf"(?![次天个回遍至到、和都\-~～六])(?:的)?{_PART}(?!都)"
        ),
        _weekday,
    ),
    Rule(re.compile(rf"{_OF_ALL}(?<![上下这本])周末(?!都|一般|通常|经常|常|总|的时候|愉快|快乐)"), _weekend),
    Rule(
        re.compile(
            rf"(?<![第满上工作婚业学后生年近{CHINESE}\d.])(?:再过|大概|大约)?{_NUMBER}(?:多)?"
            r"(?P<unit>天|个?星期|个?礼拜|周|个?月|年)(?:多)?(?:之|以)?(?P<side>[前后])(?!的今天)(?![面边来])"
        ),
        _away,
    ),
    Rule(re.compile(rf"(?:(?P<which>上|下|这|本)个?月|{_MONTH})(?P<part>初|中旬|底|末|上旬|下旬)"), _part_of_month),
    Rule(re.compile(rf"(?<![个每\d{CHINESE}上下这本])(?P<which>)(?P<month>)月(?P<part>初|底|末)"), _part_of_month),
    Rule(re.compile(rf"{_NEAR_YEAR}年?(?P<part>[初底末])"), _part_of_year),
    Rule(re.compile(r"(?<![去前今明后\d])(?P<near_year>)年(?P<part>[初底末])"), _part_of_year),
    Rule(re.compile(rf"(?:{_NEAR_YEAR}|{_YEAR})?(?P<feast>{'|'.join(_FEASTS)})(?!礼物|树)"), _feast),
)
