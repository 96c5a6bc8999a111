"""`yiku kb`: a folder becomes a base, is found, is brought up to date, and goes away."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.processes import run


async def said(folder: Path, *arguments: str, code: int = 0) -> str:
    """What the command prints, when it ends with this code."""
    ended, out, errors = await run(folder, "kb", *arguments)
    assert ended == code, out + errors
    return out


async def test_a_folder_is_added_found_and_brought_up_to_date(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "docs"
    (folder / "中文").mkdir(parents=True)
    (folder / "中文" / "手册.md").write_text("# 手册\n\n## 退货\n\n七天内可以退货。\n", encoding="utf-8")
    (folder / "stock.csv").write_text("product,count\nHeadphones,12\nSpeakers,30\n", encoding="utf-8")
    (folder / ".hidden").write_text("not this")
    await said(data, "create", "Handbook", "--id", "kb")
    assert "2 new or changed" in await said(data, "add", "kb", str(folder))
    found = await said(data, "search", "kb", "退货要几天")
    assert "手册 > 手册 > 退货, lines 4-5" in found.splitlines()[0]
    assert "42" in await said(data, "sql", "kb", "SELECT sum(count) FROM stock")
    (folder / "中文" / "手册.md").write_text("# 手册\n\n## 退货\n\n三十天内可以退货。\n", encoding="utf-8")
    (folder / "stock.csv").unlink()
    brought = await said(data, "add", "kb", str(folder), "--prune")
    assert "1 new or changed" in brought
    assert "stock.csv is deleted" in brought
    assert "三十天内" in await said(data, "search", "kb", "退货要几天")
    assert "1 unchanged" in await said(data, "add", "kb", str(folder))
    await said(data, "rm", "kb", "--yes")
    assert "kb" not in (await said(data, "list")).splitlines()[1:]


async def test_what_cannot_be_read_is_named_with_its_reason_and_the_exit_code_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (tmp_path / "empty.txt").touch()
    (tmp_path / "good.txt").write_text("good words")
    await said(data, "create", "b", "--id", "kb")
    out = await said(data, "add", "kb", str(tmp_path / "empty.txt"), str(tmp_path / "good.txt"), code=1)
    assert "empty.txt" in out
    assert "no bytes" in out
    assert "FAIL" in await said(data, "docs", "kb")


async def test_where_nobody_watches_each_document_that_ends_is_a_line(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "docs"
    folder.mkdir()
    for number in range(25):
        (folder / f"第{number}页.txt").write_text(f"第{number}页的内容\n", encoding="utf-8")
    (folder / "empty.txt").touch()
    await said(data, "create", "b", "--id", "kb")
    _, out, errors = await run(data, "kb", "add", "kb", str(folder))
    lines = errors.splitlines()
    assert [line.partition(":")[0] for line in lines] == [f"{number} of 26" for number in range(1, 27)]
    told = sorted(line.partition(": ")[2] for line in lines)
    assert told == sorted(["empty.txt could not be read", *(f"第{number}页.txt is read" for number in range(25))])
    assert "26 new or changed" in out
    _, out, errors = await run(data, "kb", "add", "kb", str(folder), "--quiet")
    assert errors == ""


async def test_a_base_or_a_file_that_does_not_exist_is_said_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    await said(data, "create", "b", "--id", "kb")
    for arguments in (("add", "other", str(tmp_path)), ("add", "kb", "nowhere.txt"), ("search", "other", "words")):
        code, _, errors = await run(data, "kb", *arguments)
        assert code == 2 or "There is no knowledge base" in errors
        assert errors.startswith("yiku: ")
