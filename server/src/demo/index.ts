// Realistic data for a first look and for tests: the teammates of a coffee importer. Created by the rules of the
// features.

import { pageAddress } from '#features/delivery/personal-pages/index.ts'
import { importTeammates, ownersOf } from '#features/people/teammates/index.ts'
import { createFolder, findFolderByName } from '#features/workspace/folders/index.ts'
import { createField, smartFieldsOf } from '#features/workspace/smart-fields/index.ts'
import { changeWorkspace, workspacesByIds } from '#features/workspace/workspaces/index.ts'
import type { Caller } from '#kernel/api/scopes.ts'
import type { Db } from '#kernel/db/db.ts'
import { comparisonKey } from '#kernel/db/text.ts'
import type { Parts } from '#parts.ts'
import { fillCampaigns } from './campaigns.ts'
import { connectDirectory } from './directory.ts'
import { fillDemoEvents, peopleOf } from './events.ts'
import { fillHistory } from './history.ts'
import { fillImports } from './imports.ts'
import { fillInstallations } from './installations.ts'
import { fillInvoices } from './invoices.ts'
import { fillLibrary, withPortraits } from './library.ts'
import { fillMembers } from './members.ts'
import { fillOwnChanges } from './own-changes.ts'
import { companyName, demoRows, extraFields } from './people.ts'
import { fillPublications } from './publications.ts'
import { fillRelay } from './relay.ts'
import { fillSignatures, liveNames, liveSignatures, signatureNames } from './signatures.ts'
import { fillSso } from './sso.ts'
import { fillWebhooks } from './webhooks.ts'

const folders = ['Company-wide', 'Sales', 'Support', 'Recruiting', 'Archive']

/** The default of SIGNOFF_WORKSPACE_NAME: a name that no person has chosen. */
const unchosenName = 'My company'

async function nameWorkspace(db: Db, by: Caller, { workspaces }: Parts): Promise<void> {
  const [workspace] = await workspacesByIds(db, [by.workspaceId])
  if (workspace?.name === unchosenName) await changeWorkspace(db, by, { name: companyName }, workspaces)
}

/** Idempotent: existing data stays as it is. Returns a summary. */
export async function fillDemo(db: Db, by: Caller, parts: Parts): Promise<string> {
  await nameWorkspace(db, by, parts)
  const labels = new Set((await smartFieldsOf(db, by.workspaceId)).map(field => comparisonKey(field.label)))
  for (const field of extraFields)
    if (!labels.has(comparisonKey(field.label))) await createField(db, by, field, parts.smartFields)
  const fields = await smartFieldsOf(db, by.workspaceId)
  const idOf = new Map(fields.map(field => [field.label, field.id]))
  const rows = demoRows(idOf)
  const addresses = rows.map(row => row.email)
  const existing = await db.transaction(tx => ownersOf(tx, by.workspaceId, addresses))
  const newRows = await withPortraits(
    db,
    by,
    parts,
    rows.filter(row => !existing.has(row.email)),
  )
  const { created, failed } = await db.transaction(async tx => {
    const owners = await ownersOf(tx, by.workspaceId, addresses)
    const missing = newRows.filter(row => !owners.has(row.email))
    return importTeammates(tx, by, missing, { publicUrl: '', onPeopleChange: parts.onPeopleChange })
  })
  for (const name of folders)
    if (!(await findFolderByName(db, by.workspaceId, name))) await createFolder(db, by, name)
  const images = await fillLibrary(db, by, parts)
  await fillSignatures(db, by, parts)
  const campaigns = await fillCampaigns(db, by, parts)
  const directoryId = await connectDirectory(db, by, rows, parts)
  if (directoryId !== undefined) await fillInstallations(db, by.workspaceId, directoryId)
  await fillImports(db, by, parts)
  await fillMembers(db, by, parts)
  await fillOwnChanges(db, by, parts)
  await fillPublications(db, by, parts)
  await fillSso(db, by, parts)
  await fillInvoices(db, by, parts)
  const demoPeople = await peopleOf(db, by.workspaceId)
  await fillWebhooks(db, by, parts, demoPeople)
  await fillRelay(db, by)
  const events = await fillDemoEvents(db, by.workspaceId)
  if (events > 0) await fillHistory(db, by, parts, demoPeople)
  const failureNote =
    failed.length > 0 ? `, ${failed.length} not taken (a directory manages this workspace)` : ''
  return `Demo data is in place: ${created} teammates created${failureNote}; ${fields.length} smart fields, ${folders.length} folders, ${signatureNames.length} signatures, ${campaigns} campaigns, ${images} images, ${events} new events.`
}

export { type DemoSignIn, demoOwnerLink, demoSignIns } from './members.ts'

/** Addresses to open in a browser after the demo was filled: a personal page for each live signature, and the API. */
export async function demoLinks(db: Db, by: Caller, { rendering }: Parts): Promise<string[]> {
  const context = { ...rendering, workspaceId: by.workspaceId }
  const addresses = await peopleOf(db, by.workspaceId)
  const live = await liveSignatures(
    db,
    by.workspaceId,
    addresses.map(({ email_id }) => email_id),
  )
  const links: string[] = []
  for (const name of liveNames) {
    const person = addresses.find(({ email_id }) => live.get(email_id)?.name === name)
    const page = person && (await pageAddress(db, context, person.email_id))
    const place = page
      ? (page.url ?? 'no page, because personal pages are switched off in this workspace')
      : 'no page, because no teammate gets this signature: it is not active, or another one comes before it'
    links.push(`${name}${page ? `, ${page.address}` : ''}:  ${place}`)
  }
  return [...links, `The API, to try it:  ${rendering.publicUrl}/docs`]
}
