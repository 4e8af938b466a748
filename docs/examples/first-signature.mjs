// Makes a signature from a template, gives it to all addresses and publishes it:
//
//   KEY=sgn_… node first-signature.mjs
//
// Needs Node 20 or newer and a running service. SIGNOFF_URL is its address, unless it is http://localhost:3000. The
// script can be run again after a change: it updates the people and publishes the same signature.
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'

const { KEY, SIGNOFF_URL = 'http://localhost:3000' } = process.env

const name = 'Standard'
const template = 'corporate-classic' // GET /v1/templates lists the others

const brand = {
  colors: { primary: '#2f5d50' },
  website: 'https://www.northbean.example',
  social: [{ name: 'linkedin-in', href: 'https://www.linkedin.com/company/northbean' }],
}

// Values by the key of their smart field. A portrait is a file beside this script, or a public https address.
const people = [
  {
    email: 'ada@northbean.example',
    portrait: 'ada.png',
    first_name: 'Ada',
    last_name: 'Moreau',
    job_title: 'Head of Roasting',
    company: 'Northbean Coffee',
    work_phone: '+49 40 5550 0123',
  },
  {
    email: 'grace@northbean.example',
    portrait: 'grace.png',
    first_name: 'Grace',
    last_name: 'Okafor',
    job_title: 'Key Accounts',
    company: 'Northbean Coffee',
    mobile_phone: '+49 151 5550 0456',
  },
]

async function request(method, path, body) {
  const response = await fetch(`${SIGNOFF_URL}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => stop(`No service answers at ${SIGNOFF_URL}. Start it with "npm start", or set SIGNOFF_URL.`))
  if (!response.ok) stop(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response
}

function stop(message) {
  console.error(message)
  process.exit(1)
}

const call = async (...args) => (await (await request(...args)).json()).data

/** The value of an image field: an address as it is, a file as the id of its asset. */
async function portraitOf(portrait) {
  if (portrait.startsWith('https://')) return portrait
  const file = await readFile(new URL(portrait, import.meta.url))
  const { id } = await call('POST', '/assets', {
    asset: { filename: basename(portrait), file_base64: file.toString('base64'), role: 'profile_picture' },
  })
  return id
}

async function rowOf({ email, portrait, ...values }) {
  const all = { ...values, ...(portrait && { profile_picture: await portraitOf(portrait) }) }
  return { email, smart_fields: Object.entries(all).map(([smart_field, value]) => ({ smart_field, value })) }
}

if (!KEY) stop('Set KEY to your API key: KEY=sgn_… node first-signature.mjs')

await call('PATCH', '/workspace/brand', brand)

const teammates = []
for (const person of people) teammates.push(await rowOf(person))
const { created, updated, failed } = await call('POST', '/teammates/import', { teammates })
console.log(`People: ${created} created, ${updated} updated, ${failed.length} failed`)
for (const row of failed)
  console.log(`  ${row.email}: ${row.details.map(({ message }) => message).join('; ')}`)

const existing = await call('GET', `/signatures?search=${encodeURIComponent(name)}`)
const signature =
  existing.find(signature => signature.name === name) ??
  (await call('POST', '/signatures', { name, template_id: template, priority: 0 }))
const path = `/signatures/${signature.id}`

await call('PUT', `${path}/recipient_rules`, { everybody: true })

const { recipients, problems } = await call('GET', `${path}/check`)
console.log(`Recipients: ${recipients}`)
for (const { severity, message } of problems) console.log(`  ${severity}: ${message}`)

await call('POST', `${path}/publish`, {})

const emails = await call('GET', `${path}/emails?limit=10`)
const first = emails.find(({ address }) => address === people[0].email) ?? emails[0]
const picture = await request('GET', `${path}/preview.png?email_id=${first.id}`)
await writeFile('signature.png', Buffer.from(await picture.arrayBuffer()))
console.log(`Published. signature.png shows it for ${first.address}. Personal pages, to copy it:`)
for (const { id, address } of emails) {
  const { url } = await call('GET', `/emails/${id}/personal_page`)
  console.log(`  ${address}: ${url}`)
}
