"""Every setting: read once at the start, from the environment (`YIKU_…`) or a TOML file, into one frozen value.

The file is `yiku.toml` in the working directory, or what `YIKU_CONFIG` names. The environment wins. A name that does
not exist is refused, so that a typing error fails at the start and not in production. `docs/settings.md` gives the
reasons; a test keeps it complete.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from yiku.model.errors import InvalidInput
from yiku.model.keys import KEY_CHARACTERS_MIN
from yiku.model.limits import Limits
from yiku.model.prompts import LlmUse, OutputLanguage
from yiku.model.retention import Retention

PREFIX = "YIKU_"
CONFIG_VARIABLE = "YIKU_CONFIG"
MCP_KEY_VARIABLE = "YIKU_MCP_KEY"
"""Not a setting: the key that `yiku mcp` acts as."""

Source = Literal["default", "file", "environment"]


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        extra="forbid",
        frozen=True,
        env_ignore_empty=True,
    )

    host: str = Field("127.0.0.1", description="The address to listen on; the loopback one keeps strangers out.")
    port: int = Field(8787, ge=0, le=65535, description="The port to listen on; 0 takes any free one and prints it.")
    data_dir: Path = Field(Path("data"), description="Where everything is kept: one folder, one database file.")
    database_url: SecretStr | None = Field(
        None,
        description="A PostgreSQL database to keep everything in instead, as postgresql://user:password@host/name.",
    )
    database_connections: int = Field(
        10, ge=2, le=1000, description="Connections of one process to it; all together must stay below its limit."
    )
    api_key: SecretStr | None = Field(
        None, description="An admin key to accept while it is set, beside those in the store."
    )
    auth: Literal["on", "off"] = Field(
        "on",
        description="Off lets anybody in as admin; only possible on a loopback address, meant for conformance tests.",
    )
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        (),
        description="Host names under which this server may be called, beside loopback; guards against DNS rebinding.",
    )
    key_requests_per_minute: int = Field(
        0, ge=0, description="Requests a minute that one API key may make; 0 is no bound."
    )
    user_requests_per_minute: int = Field(
        0, ge=0, description="Calls a minute about one user, through whatever keys; 0 is no bound."
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Web pages that may call this server from a browser, as https://app.example; * is not taken."
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode] = Field(
        ("127.0.0.1", "::1"), description="Addresses of proxies whose X-Forwarded-For and -Proto are believed."
    )
    tls_certificate: Path | None = Field(None, description="A PEM file with the certificate chain, to serve https.")
    tls_key: Path | None = Field(None, description="The private key of that certificate.")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="How much is written to the log on standard error."
    )
    log_requests: bool = Field(
        False, description="A line for each request: method, path, status, time; never bodies or keys."
    )
    log_format: Literal["text", "json"] = Field("text", description="Lines for people, or JSON for a log collector.")
    cache_bytes: int = Field(
        512 * 1024 * 1024,
        ge=0,
        description="Memory for the indexes of recently searched users; others load when asked.",
    )
    embedder: Literal["local", "openai_compatible", "hashed"] = Field(
        "local", description="Who makes vectors: the bundled model, an endpoint, or (for tests) hashing."
    )
    embedder_url: str | None = Field(None, description="Base URL of an OpenAI-compatible endpoint, up to and with /v1.")
    embedder_key: SecretStr | None = Field(None, description="The key for that endpoint.")
    embedder_model: str | None = Field(None, description="The model to ask that endpoint for.")
    embedder_dimensions: int | None = Field(
        None, ge=8, le=4096, description="Dimensions to ask for, where the model can shorten its vectors."
    )
    embedder_batch: int = Field(32, ge=1, le=2048, description="Texts in one request; endpoints cap it differently.")
    embedder_query_prefix: str = Field("", description="Put before a question, where the endpoint's model wants it.")
    embedder_passage_prefix: str = Field("", description="Put before a text to be found, likewise.")
    embedder_characters: int = Field(
        8_000, ge=64, le=1_000_000, description="How much of a text an embedder is given; endpoints refuse long ones."
    )
    embedder_tokens: int = Field(
        256, ge=16, le=8192, description="How much of a text the model reads: longer costs much and adds little."
    )
    embedder_threads: int = Field(
        1, ge=1, le=64, description="Cores for one question to the bundled model; passages always take one."
    )
    llm_url: str | None = Field(
        None, description="Base URL of an OpenAI-compatible language model, up to and with /v1; without one, rules."
    )
    llm_key: SecretStr | None = Field(None, description="The key for that language model.")
    llm_model: str | None = Field(None, description="The model to ask for there.")
    llm_timeout: float = Field(
        60.0, gt=0, le=600, description="Seconds that one question to the language model may take, retries included."
    )
    llm_calls_per_minute: int = Field(0, ge=0, description="Calls a minute of this process; 0 is no bound.")
    llm_output_language: OutputLanguage = Field(
        "same", description="In which language memories are written: that of the speaker (same), or always zh or en."
    )
    llm_failure: Literal["rules", "retry"] = Field(
        "rules", description="Whether an add goes to the rules or waits while the language model cannot be used."
    )
    rerank_url: str | None = Field(
        None, description="The whole address of a rerank call, as https://api.example/v1/rerank; without one, none."
    )
    rerank_key: SecretStr | None = Field(None, description="The key for that address.")
    rerank_model: str | None = Field(None, description="The reranking model to ask for there.")
    rerank_timeout: float = Field(
        5.0, gt=0, le=120, description="Seconds that a search waits for it; then the first order stands."
    )
    knowledge: Literal["on", "off"] = Field("on", description="Off leaves knowledge bases out of this server.")
    knowledge_tool: Literal["listed", "hidden"] = Field(
        "listed", description="Whether search_knowledge stands in the list of tools of /mcp; it can be called anyway."
    )
    document_folder: Path | None = Field(
        None, description="The only folder from which documents with file:// addresses are read; without it, none."
    )
    document_networks: Annotated[tuple[str, ...], NoDecode] = Field(
        (), description="Networks and hosts that documents may be fetched from though they are not public."
    )
    object_store_url: str | None = Field(
        None, description="Where oss:// and s3:// addresses are asked for, as https://{bucket}.store.example/{key}."
    )
    originals: Literal["store", "folder"] = Field(
        "store", description="Whether the files of documents are kept in the store itself or in a folder beside it."
    )
    ocr: Literal["on", "off"] = Field(
        "on", description="Whether scans and images are read, where yiku[ocr] is installed."
    )
    message_days: int = Field(
        0, ge=0, le=36_500, description="How long messages are kept once digested; 0 is for ever."
    )
    event_days: int = Field(0, ge=0, le=36_500, description="How long finished events are kept; 0 is for ever.")
    limits: Limits = Field(Limits(), description="The bounds of `model/limits.py`, each a setting with its reason.")

    @property
    def retention(self) -> Retention:
        return Retention(message_days=self.message_days, event_days=self.event_days)

    @property
    def llm_use(self) -> LlmUse:
        return LlmUse(output_language=self.llm_output_language, when_unavailable=self.llm_failure)

    @property
    def place(self) -> str:
        """Where everything is kept, for people; without the password."""
        if self.database_url is None:
            return str(self.data_dir.resolve())
        try:
            parts = urlsplit(self.database_url.get_secret_value())
        except ValueError:
            return "PostgreSQL, at an address that cannot be read"
        return f"PostgreSQL, database {parts.path.removeprefix('/')} on {parts.hostname or 'this machine'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        toml = TomlConfigSettingsSource(settings_cls, _config_file())
        return init_settings, env_settings, toml

    @field_validator("api_key")
    @classmethod
    def _long_enough(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value()) < KEY_CHARACTERS_MIN:
            raise ValueError(
                f"is shorter than {KEY_CHARACTERS_MIN} characters and could be guessed; make one with"
                " 'openssl rand -hex 24', or leave it out and the first start makes one"
            )
        return value

    @field_validator("database_url")
    @classmethod
    def _a_database(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("must start with postgresql://, as in postgresql://user:password@host:5432/name")
        return value

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for origin in value:
            parts = urlsplit(origin)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.path or parts.query:
                raise ValueError(
                    f"has {origin}, which is no origin: write https://app.example or http://localhost:3000"
                )
        return value

    @field_validator("allowed_hosts", "cors_origins", "trusted_proxies", "document_networks", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """In the environment: names with commas between them."""
        return tuple(name.strip() for name in value.split(",") if name.strip()) if isinstance(value, str) else value

    @field_validator("limits")
    @classmethod
    def _above_zero(cls, value: Limits) -> Limits:
        for limit in fields(value):
            if getattr(value, limit.name) <= 0:
                raise ValueError(f"{limit.name} must be above 0")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Settings:
        if self.auth == "off" and not is_loopback(self.host):
            raise ValueError(
                f"auth is off, but host {self.host} can be reached from other machines: use 127.0.0.1, or auth on"
            )
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls_certificate and tls_key belong together: set both, or neither")
        if self.embedder == "openai_compatible" and not (self.embedder_url and self.embedder_model):
            raise ValueError("embedder openai_compatible needs embedder_url and embedder_model")
        for url, model, name in ((self.llm_url, self.llm_model, "llm"), (self.rerank_url, self.rerank_model, "rerank")):
            if (url is None) != (model is None):
                raise ValueError(f"{name}_url and {name}_model belong together: set both, or neither")
        return self


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server on `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def load_settings() -> Settings:
    """The settings in force, or an `InvalidInput` that says which one is wrong, where, and why."""
    _refuse_unknown(os.environ.keys(), _variable, "The environment sets")
    file = _config_file()
    if CONFIG_VARIABLE in os.environ and not file.is_file():
        raise InvalidInput(f"{CONFIG_VARIABLE} names {file}, which is not a file", field=CONFIG_VARIABLE)
    _refuse_unknown(_names_in(file), lambda name: name, f"{file} sets")
    try:
        return Settings()
    except ValidationError as error:
        problems = (f"{_spelled(p['loc'], file)} {_reason(p['msg'])}" for p in error.errors())
        raise InvalidInput("; ".join(problems)) from error


def settings_in_force(settings: Settings) -> list[tuple[str, Any, Source]]:
    """Name, value and source of each, for people who wonder; secrets are masked."""
    values: dict[str, Any] = settings.model_dump(mode="json")
    limits = values.pop("limits")
    values |= {f"limits.{name}": value for name, value in limits.items()}
    in_environment = {name.upper() for name, value in os.environ.items() if value}
    in_file = _names_in(_config_file())

    def source(name: str) -> Source:
        return "environment" if _variable(name) in in_environment else "file" if name in in_file else "default"

    return [(name, value, source(name)) for name, value in values.items()]


def _names_in(file: Path) -> set[str]:
    """The settings that a TOML file sets; a limit as `limits.<name>`."""
    try:
        written = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{file} cannot be read as TOML: {error}", field=CONFIG_VARIABLE) from error
    limits = written.get("limits")
    if not isinstance(limits, dict):
        return set(written)
    return {*written, *(f"limits.{name}" for name in limits)} - {"limits"}


def _config_file() -> Path:
    return Path(os.environ.get(CONFIG_VARIABLE, "yiku.toml"))


def _refuse_unknown(given: Iterable[str], spelled: Callable[[str], str], where: str) -> None:
    """Names that are no setting of ours are refused: a misspelt one would otherwise leave the default in force."""
    known = {spelled(name) for name in (*Settings.model_fields, *(f"limits.{limit.name}" for limit in fields(Limits)))}
    known |= {CONFIG_VARIABLE, MCP_KEY_VARIABLE}
    for name in given:
        if (name.startswith(PREFIX) or spelled(name) == name) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise InvalidInput(f"{where} {name}, which is no setting of Yiku{hint}", field=name)


def _spelled(location: tuple[int | str, ...], file: Path) -> str:
    """A setting as it is called where its value comes from."""
    name = ".".join(str(part) for part in location[: 2 if location[:1] == ("limits",) else 1])
    in_environment = {given.upper() for given, value in os.environ.items() if value}
    in_file = name in _names_in(file) and _variable(name) not in in_environment
    return f"{name} in {file}" if in_file else _variable(name)


def _variable(name: str) -> str:
    """`limits.body_bytes` is `YIKU_LIMITS__BODY_BYTES` in the environment."""
    return f"{PREFIX}{name.replace('.', '__')}".upper() if name else "The settings:"


def _reason(message: str) -> str:
    return message.removeprefix("Value error, ")
