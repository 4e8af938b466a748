import { Type } from 'typebox'
import { pageOf, pageQuery } from '#kernel/api/pagination.ts'
import {
  created,
  dataOf,
  list,
  maybeWrappedBody,
  noContent,
  ok,
  type Route,
  route,
} from '#kernel/api/routes.ts'
import { sortQuery } from '#kernel/api/sorting.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import { createFolder, deleteFolder, findFolder, folderSorts, listFolders, renameFolder } from './queries.ts'
import { Folder, FolderInput, FolderPatch } from './schemas.ts'

export const folderRoutes: readonly Route[] = [
  route({
    name: 'folders.list',
    method: 'GET',
    path: '/v1/folders',
    access: 'folders:read',
    summary: 'List folders',
    description:
      'The folders of the workspace, newest first, each with the number of signatures in it. `GET /v1/signatures?folder_id=…` lists the signatures of one folder.',
    query: Type.Object({ ...pageQuery, ...sortQuery(folderSorts) }),
    answers: { 200: pageOf(Folder) },
    handle: async ({ db, by, query }) => list(await listFolders(db, by.workspaceId, query, query)),
  }),
  route({
    name: 'folders.create',
    method: 'POST',
    path: '/v1/folders',
    access: 'folders:write',
    summary: 'Create a folder',
    description:
      'Creates an empty folder. Folders keep signatures in order and have no effect on who gets them. Names need not be unique. Put signatures into it with `folder_id` when they are created or changed.',
    body: maybeWrappedBody('folder', FolderInput),
    answers: { 201: dataOf(Folder) },
    async handle({ db, by, body }) {
      const folder = await createFolder(db, by, body.name)
      return created(folder, `/v1/folders/${folder.id}`)
    },
  }),
  route({
    name: 'folders.get',
    method: 'GET',
    path: '/v1/folders/{id}',
    access: 'folders:read',
    summary: 'Read a folder',
    description:
      'One folder with its name and the number of signatures in it. `GET /v1/signatures?folder_id=…` lists these signatures. A folder of another workspace gives 404.',
    answers: { 200: dataOf(Folder) },
    handle: async ({ db, by, params }) => ok(orNotFound(await findFolder(db, by.workspaceId, params.id))),
  }),
  route({
    name: 'folders.update',
    method: 'PATCH',
    path: '/v1/folders/{id}',
    access: 'folders:write',
    summary: 'Rename a folder',
    description:
      'Renames a folder; the signatures in it stay where they are. Without `name` nothing changes. With `If-Match`, a change based on an outdated version is refused with 412.',
    body: maybeWrappedBody('folder', FolderPatch),
    answers: { 200: dataOf(Folder) },
    async handle({ db, by, params, body }) {
      const { name } = body
      const folder =
        name === undefined
          ? await findFolder(db, by.workspaceId, params.id)
          : await renameFolder(db, by, params.id, name)
      return ok(orNotFound(folder))
    },
  }),
  route({
    name: 'folders.delete',
    method: 'DELETE',
    path: '/v1/folders/{id}',
    access: 'folders:delete',
    summary: 'Delete an empty folder',
    description:
      'Deletes an empty folder. A folder that still holds signatures is refused with 409 `folder_not_empty`: move the signatures to another folder, or delete them, first.',
    errors: ['folder_not_empty'],
    answers: { 204: null },
    async handle({ db, by, params }) {
      orNotFound(await deleteFolder(db, by, params.id))
      return noContent()
    },
  }),
]
