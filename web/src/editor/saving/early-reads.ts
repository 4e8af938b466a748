// Begins to read what the editor needs while its code is loaded. It is a part of the frame, so it imports little.
import type { Signature } from '@signoff/sdk'
import { api, queryClient } from '#api/client.ts'
import { examplePersonQuery } from '#records/signatures/example-person.ts'
import { type Versioned, versioned } from '#state/versioned.ts'
import { renderedPersonQuery, workspaceQueries } from '../rendering/workspace-queries.ts'

/** A draft that was read early and not used is too old for an editor after this time. */
const freshMilliseconds = 5_000

const drafts = new Map<string, Promise<Versioned<Signature>>>()

/** Used once: an editor that is opened again reads again. */
export function readSignature(id: string): Promise<Versioned<Signature>> {
  const early = drafts.get(id)
  drafts.delete(id)
  return early ?? versioned(api.signatures.get(id))
}

async function readPerson(signatureId: string | undefined): Promise<void> {
  const example = await queryClient.fetchQuery(examplePersonQuery)
  const person = example ? { emailId: example.emailId } : 'placeholder'
  await queryClient.prefetchQuery(renderedPersonQuery(person, signatureId))
}

/** A failure is shown by the editor, which reads again. */
const begin = (reading: Promise<unknown>): void => void reading.catch(() => undefined)

/** `signatureId`: undefined for a banner. */
export function readEarly(signatureId?: string): void {
  for (const query of workspaceQueries) begin(queryClient.prefetchQuery<unknown>(query))
  begin(readPerson(signatureId))
  if (signatureId === undefined || drafts.has(signatureId)) return
  const draft = versioned(api.signatures.get(signatureId))
  drafts.set(signatureId, draft)
  begin(draft)
  setTimeout(() => drafts.get(signatureId) === draft && drafts.delete(signatureId), freshMilliseconds)
}
