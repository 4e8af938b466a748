// Realistic data for a first look and for tests: the teammates of a coffee importer. Created by the rules of the
// features.

import { findAssetByName, saveAsset } from '#features/assets/index.ts'
import { hasDocument, insertDocument } from '#features/billing/index.ts'
import { exampleContentFor } from '#features/content/index.ts'
import { createFolder, findFolderByName } from '#features/folders/index.ts'
import { hasIntegration, insertEntities, insertIntegration } from '#features/integrations/index.ts'
import { pageAddress } from '#features/personal-pages/index.ts'
import { changeRules } from '#features/recipients/index.ts'
import {
  changeVariant,
  createSignature,
  hasSignatureNamed,
  publishSignature,
  publishVariant,
} from '#features/signatures/index.ts'
import { createField, smartFieldsOf } from '#features/smart-fields/index.ts'
import { importTeammates, ownersOf } from '#features/teammates/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Caller } from '#kernel/scopes.ts'
import { comparisonKey } from '#kernel/text.ts'
import type { Parts } from '#parts.ts'
import { fillCampaigns } from './campaigns.ts'
import { fillDemoEvents, peopleOf } from './events.ts'
import { pictures } from './pictures.ts'
import { traitsByName } from './portrait-traits.ts'
import { drawPortrait } from './portraits.ts'

const people =
  `Ada Moreno|Amara Okafor|Aiko Tanaka|Arjun Mehta|Astrid Nilsen|Bea Fontaine|Ben Whitaker|Bruno Carvalho|Camille Laurent|Chiara Ricci
Chloé Bernard|Daniel Osei|Dilnoza Karimova|Diego Fuentes|Elena Petrova|Elif Yılmaz|Emeka Nwosu|Emma Lindqvist|Farah Haddad|Felix Brandt
Fiona MacLeod|Gabriel Silva|Grace Kim|Hana Nováková|Hassan Rahimi|Hugo Martin|Imani Wanjiru|Ines Duarte|Ivan Horvat|Jonas Weber
Julia Kowalska|Kai Nakamura|Kofi Mensah|Lars Andersen|Leila Benali|Liam O’Connor|Lucía Romero|Maja Jovanović|Marco Bianchi|Mei Lin
Mira Patel|Noah Fischer|Nora Haugen|Omar Farouk|Oskar Virtanen|Paula Schmidt|Ravi Iyer|Sofia Papadaki|Tomás Herrera|Yara Cohen`
    .split(/[|\n]/)
    .map(name => name.split(' ') as [string, string])

const departments: readonly (readonly [name: string, titles: readonly string[]])[] = [
  ['Sales', ['Account Executive', 'Account Manager', 'Head of Sales', 'Sales Engineer']],
  ['Support', ['Support Specialist', 'Support Lead', 'Customer Success Manager']],
  ['Marketing', ['Brand Manager', 'Content Strategist', 'Head of Marketing']],
  ['Operations', ['Logistics Coordinator', 'Quality Manager', 'Operations Analyst']],
  ['Engineering', ['Software Engineer', 'Data Engineer', 'Engineering Manager']],
]
const offices = ['London', 'Hamburg', 'Lisbon']
const extraFields = [
  { label: 'Pronouns', kind: 'text' },
  { label: 'LinkedIn', kind: 'url' },
  { label: 'Office', kind: 'text', fallback: 'Remote' },
] as const
const folders = ['Company-wide', 'Sales', 'Support', 'Recruiting', 'Archive']
const signatures = [
  { name: 'Northbean standard', published: true },
  { name: 'Sales with booking link', folder: 'Sales' },
  { name: 'Winter redesign' },
] as const
const directory = 'Northbean Google Workspace'

const lettersOf = (text: string): string =>
  comparisonKey(text)
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

/** Smart-field values by label; some people lack some values. */
function valuesOf([first, last]: [string, string], n: number): Record<string, string> {
  const [department, titles] = pick(departments, n)
  const handle = `${lettersOf(first)}-${lettersOf(last)}`
  return {
    'First name': first,
    'Last name': last,
    'Job title': pick(titles, Math.floor(n / departments.length)),
    Department: department,
    Company: 'Northbean Coffee Ltd',
    'Work phone': `+44 20 7946 0${String(100 + n)}`,
    ...(n % 3 !== 0 && { 'Mobile phone': `+44 7700 900${String(100 + n)}` }),
    ...(n % 4 === 0 && { 'Calendar link': `https://calendar.example.com/${handle}` }),
    ...(n % 5 === 0 && { Pronouns: pick(['she/her', 'he/him', 'they/them'], n / 5) }),
    ...(n % 2 === 0 && { LinkedIn: `https://www.linkedin.com/in/${handle}` }),
    ...(n % 7 !== 0 && { Office: pick(offices, n) }),
  }
}

/** Idempotent: existing data stays as it is. Returns a summary. */
export async function fillDemo(db: Db, by: Caller, parts: Parts): Promise<string> {
  const labels = new Set((await smartFieldsOf(db, by.workspaceId)).map(field => comparisonKey(field.label)))
  for (const field of extraFields)
    if (!labels.has(comparisonKey(field.label))) await createField(db, by, field)
  const fields = await smartFieldsOf(db, by.workspaceId)
  const idOf = new Map(fields.map(field => [field.label, field.id]))
  const rows = people.map((person, n) => ({
    name: person.join(' '),
    email: `${lettersOf(person[0])}.${lettersOf(person[1])}@northbean.example`,
    smart_fields: Object.entries(valuesOf(person, n)).flatMap(([label, value]) => {
      const smart_field_id = idOf.get(label)
      return smart_field_id ? [{ smart_field_id, value }] : []
    }),
  }))
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
  for (const picture of pictures) await savePicture(db, by, parts, picture)
  await designSignatures(db, by, parts)
  const campaigns = await fillCampaigns(db, by, parts)
  await connectDirectory(db, by)
  for (let month = 1; month <= 3; month++) await issueInvoice(db, by, month)
  const names = signatures.map(({ name }) => name)
  const events = await fillDemoEvents(db, by.workspaceId, names)
  const failureNote =
    failed.length > 0 ? `, ${failed.length} not taken (a directory manages this workspace)` : ''
  return `Demo data is in place: ${created} teammates created${failureNote}; ${fields.length} smart fields, ${folders.length} folders, ${signatures.length} signatures, ${campaigns} campaigns, ${pictures.length} images, ${events} new events.`
}

interface DemoPicture {
  readonly name: string
  readonly filename: string
  readonly role: 'company_logo' | 'profile_picture' | 'banner'
  readonly bytes: Buffer
}

/** Returns the id of the asset. A picture that is in the library already is not saved again. */
async function savePicture(db: Db, by: Caller, parts: Parts, picture: DemoPicture): Promise<string> {
  const { bytes, filename, ...attributes } = picture
  const existing = await findAssetByName(db, by.workspaceId, attributes.name)
  if (existing) return existing.id
  const source = { bytes, encoding: 'bytes', filename, field: 'file_base64' } as const
  const { id } = await saveAsset(db, by, source, attributes, { publicUrl: '', store: parts.store })
  return id
}

interface DemoRow {
  readonly name: string
  readonly email: string
  readonly smart_fields: readonly object[]
}

/** Adds a drawn portrait to each person. */
async function withPortraits(
  db: Db,
  by: Caller,
  parts: Parts,
  rows: readonly DemoRow[],
): Promise<Omit<DemoRow, 'name'>[]> {
  const save = async ({ name, email, smart_fields }: DemoRow) => {
    const traits = traitsByName.get(name)
    if (!traits) return { email, smart_fields }
    const filename = `${email.split('@')[0]}.svg`
    const bytes = drawPortrait(name, traits)
    const value = await savePicture(db, by, parts, { name, filename, role: 'profile_picture', bytes })
    return { email, smart_fields: [...smart_fields, { smart_field: 'profile_picture', value }] }
  }
  const saved: Omit<DemoRow, 'name'>[] = []
  // Two image processes read pictures.
  for (let start = 0; start < rows.length; start += 2)
    saved.push(...(await Promise.all(rows.slice(start, start + 2).map(save))))
  return saved
}

/**
 * The first signature is live for all teammates, with a published variant for replies and a draft of the internal
 * variant; the others are drafts.
 */
async function designSignatures(db: Db, by: Caller, { signatures: hooks, rendering }: Parts): Promise<void> {
  const { onChange } = hooks
  const deps = { ...rendering, onChange, variantsSupported: async () => true }
  const smartFields = await smartFieldsOf(db, by.workspaceId)
  const draft_content = exampleContentFor(smartFields)
  const smart_field_id = smartFields.find(field => field.key === 'first_name')?.id ?? ''
  for (const { name, ...attributes } of signatures) {
    if (await hasSignatureNamed(db, by.workspaceId, name)) continue
    const folder =
      'folder' in attributes ? await findFolderByName(db, by.workspaceId, attributes.folder) : undefined
    const { id } = await createSignature(db, by, { name, draft_content, folder_id: folder?.id ?? null })
    if (!('published' in attributes)) continue
    await changeRules(db, by, id, { conditions: [[{ smart_field_id, operator: 'is_set' }]] }, onChange)
    await db.transaction(async tx => {
      await publishSignature(tx, by, id, deps)
      const short = { ...draft_content, children: (draft_content.children ?? []).slice(0, 1) }
      await changeVariant(tx, by, id, 'reply', { draft_content: short }, deps)
      await publishVariant(tx, by, id, 'reply', deps)
      await changeVariant(tx, by, id, 'internal', { draft_content: short }, deps)
    })
  }
}

/** Only for display: this directory does not drive the teammates, so they can still be changed by hand. */
async function connectDirectory(db: Db, by: Caller): Promise<void> {
  if (await hasIntegration(db, by.workspaceId, directory)) return
  await db.transaction(async tx => {
    const id = await insertIntegration(tx, by, {
      kind: 'google_workspace',
      name: directory,
      dashboardUrl: 'https://admin.google.com',
      drivesTeammates: false,
    })
    const size = Math.floor(people.length / departments.length)
    const units = departments.map(([name]) => ({
      name: `/${name}`,
      subKind: 'org_unit',
      teammatesCount: size,
    }))
    const group = { name: 'everyone@northbean.example', subKind: 'group', teammatesCount: people.length }
    await insertEntities(tx, by.workspaceId, id, [...units, group])
  })
}

async function issueInvoice(db: Db, by: Caller, month: number): Promise<void> {
  const number = `DEMO-2026-00${month}`
  if (await hasDocument(db, by.workspaceId, number)) return
  const file = (kind: string) => ({
    url: `https://billing.example.com/${kind}/${number}.pdf`,
    filename: `${kind}-${number}.pdf`,
    content_type: 'application/pdf',
    byte_size: 48_213,
  })
  await insertDocument(db, by, {
    number,
    totalAmountCents: 0, // self-hosting is free
    processorReceiptUrl: null,
    dueDate: new Date(Date.UTC(2026, month, 15)),
    periodStart: new Date(Date.UTC(2026, month - 1, 1)),
    periodEnd: new Date(Date.UTC(2026, month, 1)),
    file: file('invoice'),
    receipt: month < 3 ? file('receipt') : null,
  })
}

/** Addresses to open in a browser after the demo was filled. */
export async function demoLinks(db: Db, by: Caller, { rendering }: Parts): Promise<string[]> {
  const context = { ...rendering, workspaceId: by.workspaceId }
  const links: string[] = []
  for (const { email_id, address } of (await peopleOf(db, by.workspaceId)).slice(0, 2)) {
    const page = await pageAddress(db, context, email_id)
    if (page?.url) links.push(`The signature of ${address}:  ${page.url}`)
  }
  return [...links, `The API, to try it:  ${rendering.publicUrl}/docs`]
}
