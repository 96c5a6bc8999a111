"""Whoever asks in SQL gets an answer from the tables, or hears what is wrong; and nothing else happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from yiku.adapters.sql.child_process import ChildSql
from yiku.model.errors import InvalidInput, TooLarge, Unavailable
from yiku.model.parsed import ParsedTable
from yiku.ports.sql import Sql, SqlAnswer

SALES = ParsedTable(
    "销售",
    ("地区", "金额", "单价", "编号"),
    (("北京", 100, 1.5, "007"), ("上海", 9, 2.0, "12"), ("广州", None, None, "100")),
)
ODD = ParsedTable('a "q" b', ("x y", "o'k", "ID", "id", 'say "hi"'), ((1, "n/a", 3, 4, "é"), (20, 5, 6, 7, "b")))
EMPTY = ParsedTable("empty", ("c", "d"), ())
MANY = ParsedTable("many", ("n", "s"), tuple((number, f"row {number}") for number in range(3_000)))
TABLES = [SALES, ODD, EMPTY, MANY]


@pytest.fixture
async def sql() -> AsyncIterator[Sql]:
    opened = ChildSql(seconds=20)
    yield opened
    await opened.close()


def list_of(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def refusal(sql: Sql, statement: str) -> str:
    return await refusal_of(sql, TABLES, statement)


async def refusal_of(sql: Sql, tables: list[ParsedTable], statement: str) -> str:
    with pytest.raises(InvalidInput) as raised:
        await sql.ask(tables, statement, rows_max=10)
    assert raised.value.field == "sql"
    return raised.value.message


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("SELECT 地区 FROM 销售 WHERE 金额 > 50", (("北京",),)),
        ("SELECT 地区 FROM 销售 WHERE 金额 > '50'", (("北京",),)),
        ("SELECT 金额 FROM 销售 ORDER BY 金额 DESC LIMIT 2", ((100,), (9,))),
        ("SELECT `地区`, [金额] FROM `销售` WHERE \"编号\" = '007'", (("北京", 100),)),
        ("SELECT 编号 FROM 销售 WHERE 编号 = 12", (("12",),)),
        ("SELECT sum(金额), avg(单价), count(*) FROM 销售;", ((109, 1.75, 3),)),
        ("SELECT 地区 FROM 销售 WHERE 金额 IS NULL", (("广州",),)),
        ('SELECT "x y", "o\'k", ID_2, "say ""hi""" FROM "a ""q"" b" WHERE "x y" > 5', ((20, 5, 7, "b"),)),
        ('SELECT "o\'k" FROM "a ""q"" b" ORDER BY 1', ((5,), ("n/a",))),
        ("SELECT * FROM empty", ()),
        ("SELECT count(*) FROM empty", ((0,),)),
        (
            "SELECT a.地区, m.s FROM 销售 a JOIN many m ON m.n = a.金额 ORDER BY m.n",
            (("上海", "row 9"), ("北京", "row 100")),
        ),
        ("WITH big AS (SELECT * FROM many WHERE n >= 2998) SELECT count(*), max(n) FROM big", ((2, 2999),)),
        ("WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c WHERE x < 4) SELECT sum(x) FROM c", ((10,),)),
        ("SELECT n, sum(n) OVER (ORDER BY n) FROM many LIMIT 3", ((0, 0), (1, 1), (2, 3))),
        ("VALUES (1, 'a'), (2, 'b')", ((1, "a"), (2, "b"))),
        ("-- 说明; drop\n/* ; */ SELECT ';' -- end", ((";",),)),
        ("SELECT x'00ff', 1e999", (("00ff", "inf"),)),
    ],
)
async def test_tables_are_asked_in_sql(sql: Sql, statement: str, rows: tuple[tuple[object, ...], ...]) -> None:
    assert (await sql.ask(TABLES, statement, rows_max=10)).rows == rows


async def test_columns_have_names_also_without_rows(sql: Sql) -> None:
    assert await sql.ask(TABLES, "SELECT c, d AS 别名, 1 FROM empty", rows_max=10) == SqlAnswer(
        ("c", "别名", "1"), (), is_cut=False
    )


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ATTACH '/tmp/other.db' AS other", "Only reading"),
        ("PRAGMA table_info(many)", "Only reading"),
        ("EXPLAIN SELECT 1", "Only reading"),
        ("VACUUM INTO '/tmp/copy.db'", "Only reading"),
        ("DELETE FROM many", "Only reading"),
        ("WITH x AS (SELECT 1) DELETE FROM many", "Only reading"),
        ("WITH x AS (SELECT 1) INSERT INTO many SELECT 1, 2", "Only reading"),
        ("WITH x AS (DELETE FROM many RETURNING n) SELECT * FROM x", "not valid SQL"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT 1; DROP TABLE many", "one statement"),
        ("SELECT ';' ; -- \n DELETE FROM many", "one statement"),
        ("", "empty"),
        (" ; -- nothing", "empty"),
        ("SELECT writefile('/tmp/x', 'y')", "no function writefile"),
        ("SELECT readfile('/etc/hostname')", "no function readfile"),
        ("SELECT * FROM read_text('/etc/hostname')", "no table read_text"),
        ("SELECT load_extension('x')", "load_extension is not allowed"),
        ("SELECT printf('%.*c', 2000000000, 'x')", "printf is not allowed"),
        ("SELECT format('%.*c', 2000000000, 'x')", "format is not allowed"),
        ("SELECT randomblob(1000000000)", "randomblob is not allowed"),
        ("SELECT zeroblob(1000000000)", "zeroblob is not allowed"),
        ("SELECT sqlite_version()", "sqlite_version is not allowed"),
        ("SELECT * FROM sqlite_master", "no table sqlite_master"),
        ("SELECT count(*) FROM sqlite_schema", "no table sqlite_schema"),
        ("SELECT * FROM main.sqlite_master", "no table sqlite_master"),
        ("SELECT * FROM pragma_database_list", "no table pragma_database_list"),
        ("SELECT count(*) FROM pragma_function_list", "no table pragma_function_list"),
        ("SELECT count(*) FROM json_each('[1]')", "no table json_each"),
        ("SELECT * FROM dbstat", "no table dbstat"),
        ("SELECT replace(hex(group_concat(s)), '3', hex(group_concat(s))) FROM many", "too long"),
        ("SELECT " + "+".join(["1"] * 300), "nested too deeply"),
        ("SELECT 1" + " UNION SELECT 1" * 100, "UNION"),
        ("SELECT ?", "parameters"),
        ("SELECT 'abc", "not complete"),
        ("SELECT (1", "not complete"),
        ("SELEC 1", "Only reading"),
        ("SELECT 1 FORM many", "near"),
        ("SELECT n FROM many a, many b", "Several tables have a column n"),
    ],
)
async def test_whatever_is_no_question_to_the_tables_is_refused(sql: Sql, statement: str, said: str) -> None:
    assert said in await refusal(sql, statement)


@pytest.mark.parametrize("statement", ["SELECT writefile('{}', 'y')", "ATTACH '{}' AS other", "VACUUM INTO '{}'"])
async def test_no_statement_leaves_a_file_behind(sql: Sql, tmp_path: Path, statement: str) -> None:
    await refusal(sql, statement.format(tmp_path / "file"))
    await refusal(sql, f"SELECT 1; {statement.format(tmp_path / 'file')}")
    assert not list_of(tmp_path)


async def test_who_names_what_is_not_there_hears_what_is(sql: Sql) -> None:
    assert "销售" in await refusal(sql, "SELECT * FROM 销量")
    said = await refusal(sql, "SELECT 数量 FROM 销售")
    assert "数量" in said
    assert '"地区", "金额", "单价", "编号"' in said


async def test_text_in_double_quotes_is_not_taken_for_an_answer(sql: Sql) -> None:
    """SQLite would answer with the text itself, once for each row."""
    assert "single quotes" in await refusal(sql, 'SELECT "利润" FROM 销售')
    assert "single quotes" in await refusal(sql, 'SELECT * FROM 销售 WHERE 地区 = "北京"')


async def test_a_statement_is_no_novel(sql: Sql) -> None:
    assert "longer than 20000 bytes" in await refusal(sql, f"SELECT '{'配' * 7_000}'")
    with pytest.raises(TooLarge):
        await sql.ask(TABLES, f"SELECT '{'x' * 20_000}'", rows_max=10)


@pytest.mark.parametrize(
    "statement",
    [
        "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        "SELECT count(*) FROM many a, many b, many c, many d",
        "SELECT count(*) FROM many a, many b WHERE a.s || b.s LIKE '%" + "w%" * 30 + "x'",
    ],
)
async def test_what_never_ends_is_ended(statement: str) -> None:
    hasty = ChildSql(seconds=1.0)
    assert "too long" in await refusal(hasty, statement)


async def test_one_step_that_takes_for_ever_is_killed() -> None:
    """Within one function SQLite does not look at the time; this one compares a million letters at a million places."""
    hasty = ChildSql(seconds=1.0)
    long = ParsedTable("long", ("s",), (("a" * 1_000_000,),))
    with pytest.raises(InvalidInput, match="too long"):
        await hasty.ask([long], "SELECT instr(s || s, s || 'b') FROM long", rows_max=1)


async def test_rows_cells_and_the_whole_answer_are_bounded_and_that_is_said(sql: Sql) -> None:
    rows = await sql.ask(TABLES, "SELECT n FROM many", rows_max=3_000)
    assert (len(rows.rows), rows.is_cut) == (3_000, False)
    fewer = await sql.ask(TABLES, "SELECT n FROM many", rows_max=2_999)
    assert (len(fewer.rows), fewer.is_cut) == (2_999, True)
    cell = await sql.ask(TABLES, "SELECT group_concat(s) FROM many", rows_max=1)
    assert (len(str(cell.rows[0][0])), cell.is_cut) == (10_000, True)
    whole = await sql.ask(TABLES, "SELECT group_concat(s) OVER () FROM many", rows_max=3_000)
    assert (len(whole.rows), whole.is_cut) == (200, True)


async def test_what_sqlite_cannot_hold_is_loaded_as_well_as_it_can_be(sql: Sql) -> None:
    tables = [
        ParsedTable("t", ("n", "s"), ((2**70, "a\x00b"), (1, "half \ud800"))),
        ParsedTable("T", ("n",), ((2,),)),
        ParsedTable("sqlite_master", ("n",), ((3,),)),
        ParsedTable("", (), ()),
        ParsedTable("wide", tuple(f"c{place}" for place in range(2_500)), (tuple(range(2_500)),)),
    ]
    statement = """
        SELECT n, length(s), (SELECT n FROM T_2), (SELECT n FROM table_sqlite_master), (SELECT c1999 FROM wide) FROM t
    """
    answer = await sql.ask(tables, statement, rows_max=5)
    assert answer.rows == ((str(2**70), 1, 2, 3, 1999), (1, 6, 2, 3, 1999))


async def test_only_tables_that_are_named_are_loaded(sql: Sql) -> None:
    huge = ParsedTable("巨大", ("n",), ((1,),) * 2_000_001)
    assert (await sql.ask([huge, SALES], "SELECT count(*) FROM 销售", rows_max=1)).rows == ((3,),)
    assert "巨大" in await refusal_of(sql, [huge, SALES], "SELECT 1 FROM 小")
    assert "too large" in await refusal_of(sql, [huge, SALES], "SELECT count(*) FROM 巨大")


async def test_questions_wait_for_each_other_and_none_is_lost() -> None:
    narrow = ChildSql(seconds=20, processes=1)
    answers = await asyncio.gather(*(narrow.ask(TABLES, f"SELECT {number}", rows_max=1) for number in range(4)))
    assert [answer.rows for answer in answers] == [((number,),) for number in range(4)]


async def test_closing_ends_what_still_runs() -> None:
    sql = ChildSql(seconds=60)
    endless = "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
    asking = asyncio.create_task(sql.ask(TABLES, endless, rows_max=1))
    # As many answers later the other one is running.
    await sql.ask(TABLES, "SELECT 1", rows_max=1)
    await sql.close()
    await sql.close()
    with pytest.raises(Unavailable):
        await asking
    with pytest.raises(Unavailable):
        await sql.ask(TABLES, "SELECT 1", rows_max=1)
