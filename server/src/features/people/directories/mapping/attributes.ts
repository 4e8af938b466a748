// What people can map smart fields to: what the source offers, and what people have.
import { findSyncState } from '#features/workspace/integrations/index.ts'
import { smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { orNotFound } from '#kernel/base/errors.ts'
import type { Db } from '#kernel/db/db.ts'
import { type Directories, photoAttribute } from '../directory.ts'
import { readAttributes } from './queries.ts'

export async function attributesOf(
  db: Db,
  workspaceId: string,
  integrationId: string,
  directories: Directories,
): Promise<object[]> {
  const { kind } = orNotFound(await findSyncState(db, workspaceId, integrationId))
  const directory = directories.get(kind)
  const fields = await smartFieldsOf(db, workspaceId)
  const attributes = await readAttributes(db, { workspaceId, integrationId })
  const inUse = new Map(attributes.map(attribute => [attribute.path, attribute]))
  const photo = directory?.photo
    ? [{ path: photoAttribute, label: 'Photo', suggestedField: 'profile_picture' }]
    : []
  const offered = new Map(
    [...(directory?.attributes ?? []), ...photo].map(attribute => [attribute.path, attribute]),
  )
  const paths = [...new Set([...offered.keys(), ...inUse.keys()])]
  return paths.map(path => {
    const { label = path, suggestedField } = offered.get(path) ?? {}
    const suggested = fields.find(field => field.key === suggestedField && field.integration_id === null)
    return {
      attribute: path,
      label,
      people_count: inUse.get(path)?.people ?? 0,
      examples: inUse.get(path)?.examples ?? [],
      smart_field_ids: fields
        .filter(field => field.integration_id === integrationId && field.integration_attribute === path)
        .map(({ id }) => id),
      suggested_smart_field_id: suggested?.id ?? null,
    }
  })
}
