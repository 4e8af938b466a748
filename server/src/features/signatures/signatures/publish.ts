import { referencesOf, saveReferences } from '#features/content/content/index.ts'
import { announce } from '#features/workspace/webhooks/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import { invalid, orNotFound } from '#kernel/base/errors.ts'
import { newRow } from '#kernel/base/ids.ts'
import type { Db } from '#kernel/db/db.ts'
import {
  type CheckDeps,
  type CheckResult,
  checkEarly,
  checkOf,
  refuseErrors,
  subjectOf,
} from './check/rules.ts'
import { replacePending } from './publication-requests/queries.ts'
import { activate, deactivate, findSignature, lockSignature } from './queries.ts'
import { type OnSignatureChange, saveSignatureReferences } from './rules.ts'
import type { Signature } from './schemas.ts'
import { insertVersion } from './versions/queries.ts'

interface PublishDeps extends CheckDeps {
  readonly onChange: OnSignatureChange
}

export interface PublishOptions {
  /** Publish even if the check has an error. */
  readonly force?: boolean
  /** Runs while the signature is locked; an error that it throws stops the publish. */
  readonly beforePublish?: (tx: Db) => Promise<unknown>
}

export interface Published<T> {
  readonly published: T
  readonly warnings: CheckResult['problems']
}

/** Locks the signature and checks what a publish would make live; then does the work in the same transaction. */
export async function withCheckedSignature<T>(
  db: Db,
  { workspaceId }: Caller,
  id: string,
  { deps, force }: { readonly deps: CheckDeps; readonly force: boolean | undefined },
  work: (tx: Db, before: Signature, warnings: CheckResult['problems']) => Promise<T>,
): Promise<T> {
  const stored = orNotFound(await findSignature(db, workspaceId, id))
  const early = await checkEarly(db, await subjectOf(db, workspaceId, stored), deps)
  return db.transaction(async tx => {
    const before = orNotFound(await lockSignature(tx, workspaceId, id))
    if (!before.draft_content && !before.content) throw invalid('draft_content', 'blank')
    const check = await checkOf(tx, early, await subjectOf(tx, workspaceId, before), deps)
    refuseErrors(check, before, force)
    return work(tx, before, check.problems)
  })
}

/** Publishes the draft and stores a version of it. Without a draft, the last published content is activated again. */
export const publishSignature = (
  db: Db,
  by: Caller,
  id: string,
  deps: PublishDeps,
  { force, beforePublish }: PublishOptions = {},
): Promise<Published<Signature>> =>
  withCheckedSignature(db, by, id, { deps, force }, async (tx, before, warnings) => {
    const { workspaceId } = by
    await beforePublish?.(tx)
    await replacePending(tx, by, before.id, 'primary')
    const published = before.draft_content
      ? await publishDraft(tx, by, before.id)
      : await activate(tx, by, before.id, null)
    await announcePublished(tx, workspaceId, published)
    await deps.onChange(tx, { workspaceId, signatureId: before.id })
    return { published, warnings }
  })

/** `variant` is null for the signature itself. */
export const announcePublished = (
  tx: Db,
  workspaceId: string,
  { id, name }: Pick<Signature, 'id' | 'name'>,
  variant: string | null = null,
): Promise<void> => announce(tx, workspaceId, 'signature.published', [{ id, name, variant }])

async function publishDraft(tx: Db, by: Caller, signatureId: string): Promise<Signature> {
  const { id, now } = newRow()
  await insertVersion(tx, by, { id, signatureId, publishedAt: now })
  const published = await activate(tx, by, signatureId, now)
  const version = { kind: 'version', id, signatureId } as const
  await saveReferences(tx, by.workspaceId, version, referencesOf(published.content))
  await saveSignatureReferences(tx, by.workspaceId, published)
  return published
}

/** The recipients then get the signature with the next priority. */
export async function deactivateSignature(
  db: Db,
  by: Caller,
  id: string,
  onChange: OnSignatureChange,
): Promise<Signature> {
  const { workspaceId } = by
  return db.transaction(async tx => {
    const { id: signatureId, ...before } = orNotFound(await lockSignature(tx, workspaceId, id))
    const deactivated = await deactivate(tx, by, signatureId)
    if (before.signature_installation_activated)
      await announce(tx, workspaceId, 'signature.deactivated', [{ id: signatureId, name: deactivated.name }])
    await onChange(tx, { workspaceId, signatureId })
    return deactivated
  })
}
