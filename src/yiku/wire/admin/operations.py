"""Every operation of the door: one registry that the routes, OpenAPI and the tests all read."""

from __future__ import annotations

import yiku.wire.admin.bodies as takes
import yiku.wire.admin.results as gives
from yiku.core.audit import list_audit
from yiku.core.jobs import list_jobs, retry_job
from yiku.core.keys import create_key, import_key, list_keys, revoke_key
from yiku.core.users import delete_user, list_users
from yiku.core.workspaces import create_workspace, list_workspaces
from yiku.model.errors import Conflict, InvalidInput
from yiku.model.keys import DEFAULT_PERMISSIONS, NewKey, check_permissions
from yiku.model.principal import Permission
from yiku.model.texts import check_identifier
from yiku.model.times import parse_timestamp
from yiku.wire.admin.encode import audit_result, job_result, key_result, user_result, workspace_result
from yiku.wire.admin.knowledge_operations import OF_KNOWLEDGE
from yiku.wire.admin.office import Office, placed
from yiku.wire.fields import decode_id
from yiku.wire.rest_operations import Asked, Operation


async def _create_key(office: Office, asked: Asked) -> gives.NewKeyResult:
    body: takes.NewKeyBody = asked.body
    ports, principal = office.ports, asked.principal
    new = NewKey(
        name=body.name,
        workspace=principal.workspace if body.workspace is None else body.workspace,
        permissions=_permissions(body.permissions),
        user_id=body.user_id,
        expires=None if body.expires_at is None else parse_timestamp(body.expires_at, field="expires_at"),
    )
    now = ports.clock.now()
    if body.secret is not None:
        if office.keys.is_configured(body.secret):
            raise Conflict(
                "This is the key that the server was started with (YIKU_API_KEY): it may do everything already"
            )
        imported = await import_key(ports, principal, new, body.secret)
        return {**key_result(imported, now), "key": None}
    made = await create_key(ports, principal, new)
    return {**key_result(made.key, now), "key": made.secret}


def _permissions(given: object) -> frozenset[Permission]:
    if given is None:
        return DEFAULT_PERMISSIONS
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise InvalidInput("permissions must be a list of names", field="permissions")
    return check_permissions(given)


async def _list_keys(office: Office, asked: Asked) -> gives.KeyListResult:
    now = office.ports.clock.now()
    found = await list_keys(office.ports, asked.principal, page=asked.query.page, page_size=asked.query.page_size)
    return {"count": found.count, "keys": [key_result(key, now) for key in found.keys]}


async def _revoke_key(office: Office, asked: Asked) -> gives.RevokedResult:
    key_id = decode_id(asked.path["id"], field="id", limits=office.ports.limits)
    await revoke_key(office.ports, asked.principal, key_id)
    office.keys.forget(key_id)
    return {"id": key_id, "revoked": True}


async def _create_workspace(office: Office, asked: Asked) -> gives.WorkspaceResult:
    return workspace_result(await create_workspace(office.ports, asked.principal, asked.body.name))


async def _list_workspaces(office: Office, asked: Asked) -> gives.WorkspaceListResult:
    found = await list_workspaces(office.ports, asked.principal, page=asked.query.page, page_size=asked.query.page_size)
    return {"count": found.count, "workspaces": [workspace_result(workspace) for workspace in found.workspaces]}


async def _list_users(office: Office, asked: Asked) -> gives.UserListResult:
    principal = await placed(office, asked)
    users = await list_users(office.ports, principal, after=asked.query.after, limit=asked.query.limit)
    return {
        "workspace": principal.workspace,
        "users": [user_result(user) for user in users],
        "next": users[-1].user_id if len(users) == asked.query.limit else None,
    }


async def _delete_user(office: Office, asked: Asked) -> gives.DeletedUserResult:
    user_id = check_identifier(asked.path["user_id"], field="user_id", bytes_max=office.ports.limits.user_id_bytes)
    principal = await placed(office, asked)
    records = await delete_user(office.ports, principal, user_id)
    return {"workspace": principal.workspace, "user_id": user_id, "records": records}


async def _list_jobs(office: Office, asked: Asked) -> gives.JobListResult:
    jobs = await list_jobs(office.ports, asked.principal, after=asked.query.after, limit=asked.query.limit)
    return {
        "jobs": [job_result(job) for job in jobs],
        "next": jobs[-1].number if len(jobs) == asked.query.limit else None,
    }


async def _retry_job(office: Office, asked: Asked) -> gives.RetriedResult:
    job_id = decode_id(asked.path["id"], field="id", limits=office.ports.limits)
    await retry_job(office.ports, await placed(office, asked), job_id)
    return {"id": job_id, "retried": True}


async def _list_settings(office: Office, asked: Asked) -> gives.SettingListResult:
    return {"settings": list(office.settings)}


async def _list_audit(office: Office, asked: Asked) -> gives.AuditListResult:
    # Who looks wants to see what was refused a moment ago, too.
    await office.keys.watch.write()
    page = await list_audit(office.ports, asked.principal, before=asked.query.before, limit=asked.query.limit)
    return {"entries": [audit_result(entry) for entry in page.entries], "next": page.next}


OPERATIONS: tuple[Operation[Office], ...] = (
    Operation(
        method="POST",
        path="/keys",
        summary="Make a key, or accept one that you have",
        permission="admin",
        run=_create_key,
        body=takes.NewKeyBody,
        gives=gives.NewKeyResult,
        status=201,
        faults=(404, 409),
    ),
    Operation(
        method="GET",
        path="/keys",
        summary="All keys, newest first; never their secrets",
        permission="admin",
        run=_list_keys,
        query=takes.PageQuery,
        gives=gives.KeyListResult,
    ),
    Operation(
        method="DELETE",
        path="/keys/{id}",
        summary="Revoke a key",
        permission="admin",
        run=_revoke_key,
        gives=gives.RevokedResult,
        faults=(404,),
    ),
    Operation(
        method="POST",
        path="/workspaces",
        summary="Make a workspace",
        permission="admin",
        run=_create_workspace,
        body=takes.NewWorkspaceBody,
        gives=gives.WorkspaceResult,
        status=201,
        faults=(409,),
    ),
    Operation(
        method="GET",
        path="/workspaces",
        summary="All workspaces, oldest first",
        permission="admin",
        run=_list_workspaces,
        query=takes.PageQuery,
        gives=gives.WorkspaceListResult,
    ),
    Operation(
        method="GET",
        path="/users",
        summary="The users of a workspace, and how much there is of each",
        permission="admin",
        run=_list_users,
        query=takes.UsersQuery,
        gives=gives.UserListResult,
        faults=(404,),
    ),
    Operation(
        method="DELETE",
        path="/users/{user_id:path}",
        summary="Delete everything of a user",
        permission="admin",
        run=_delete_user,
        query=takes.WorkspaceQuery,
        gives=gives.DeletedUserResult,
        faults=(404,),
    ),
    Operation(
        method="GET",
        path="/jobs",
        summary="Background work that waits or runs, oldest first",
        permission="admin",
        run=_list_jobs,
        query=takes.JobsQuery,
        gives=gives.JobListResult,
    ),
    Operation(
        method="POST",
        path="/jobs/{id}/retry",
        summary="Try a job in back-off at once, or an add that ended FAILED anew",
        permission="admin",
        run=_retry_job,
        query=takes.WorkspaceQuery,
        gives=gives.RetriedResult,
        faults=(404, 409),
    ),
    Operation(
        method="GET",
        path="/settings",
        summary="The settings in force and where each comes from; secrets are masked",
        permission="admin",
        run=_list_settings,
        gives=gives.SettingListResult,
    ),
    Operation(
        method="GET",
        path="/audit",
        summary="The audit log, newest first",
        permission="admin",
        run=_list_audit,
        query=takes.AuditQuery,
        gives=gives.AuditListResult,
    ),
    *OF_KNOWLEDGE,
)
