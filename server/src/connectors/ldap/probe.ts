// Tries a connection step by step, and says for the first thing that fails what to do.
import { FilterParser } from 'ldapts'
import type { OpenIntegration, TestStep } from '#features/workspace/integrations/index.ts'
import { endpointOf } from './connecting.ts'
import { entryId, entryTexts, type LdapEntry } from './entry.ts'
import { LdapError } from './errors.ts'
import { mailAddressesOf } from './person.ts'
import { basesOf, readServerInfo } from './server-info.ts'
import { type LdapSearch, LdapSession } from './session.ts'
import { type LdapSettings, ldapSettingsOf } from './settings.ts'

const milliseconds = 25_000
/** People who are counted: more take too long for a test. */
const maxCounted = 20_000

const worked = (name: string, message: string): TestStep => ({ name, ok: true, message, remedy: null })
const failed = (name: string, message: string, remedy: string): TestStep => ({
  name,
  ok: false,
  message,
  remedy,
})

/** Runs one step. Returns false when it failed. */
async function tryStep(steps: TestStep[], name: string, work: () => Promise<TestStep>): Promise<boolean> {
  try {
    steps.push(await work())
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      steps.push(
        failed(name, `The server gave no answer within ${milliseconds / 1_000} seconds.`, 'Try again later.'),
      )
    else if (error instanceof LdapError) steps.push(failed(name, error.fact, error.remedy))
    else throw error
  }
  return steps.at(-1)?.ok === true
}

async function* firstEntries(
  session: LdapSession,
  bases: readonly string[],
  search: Pick<LdapSearch, 'attributes' | 'pageSize'> & { readonly filter: string },
): AsyncGenerator<LdapEntry> {
  let count = 0
  const filter = FilterParser.parseString(search.filter)
  for (const base of bases)
    for await (const page of session.pages({ ...search, base, filter }))
      for (const entry of page) {
        yield entry
        if (++count >= maxCounted) return
      }
}

async function tryPeople(
  session: LdapSession,
  settings: LdapSettings,
  bases: readonly string[],
): Promise<TestStep> {
  const { idAttribute, addressAttribute, aliasAttributes, peopleFilter: filter, pageSize } = settings
  const search = { filter, attributes: [idAttribute, addressAttribute, ...aliasAttributes], pageSize }
  let [count, withAddress, withId] = [0, 0, 0]
  for await (const entry of firstEntries(session, bases, search)) {
    count++
    if (mailAddressesOf(entry, settings).primary !== '') withAddress++
    if (entryId(entry, idAttribute) !== undefined) withId++
  }
  const summary = `${count >= maxCounted ? 'At least ' : ''}${count} people were found`
  if (count === 0)
    return failed('people', 'No people were found.', `Check people_bases, and people_filter: ${filter}`)
  if (withId === 0)
    return failed('people', `${summary}, without ${idAttribute}.`, 'Check preset and id_attribute.')
  if (withAddress === 0)
    return failed(
      'people',
      `${summary}, without an address in ${addressAttribute}.`,
      'Check address_attribute.',
    )
  return worked('people', `${summary}, ${withAddress} with an address.`)
}

async function tryGroups(
  session: LdapSession,
  settings: LdapSettings,
  bases: readonly string[],
): Promise<TestStep> {
  const { idAttribute, memberAttributes, groupFilter: filter, pageSize } = settings
  const search = { filter, attributes: [idAttribute, ...memberAttributes], pageSize: Math.min(pageSize, 100) }
  let [count, withMembers] = [0, 0]
  for await (const entry of firstEntries(session, bases, search)) {
    count++
    const names = [...entry.values.keys()].map(name => name.split(';')[0] ?? '')
    if (memberAttributes.some(attribute => names.includes(attribute.toLowerCase()))) withMembers++
  }
  if (count > 0 && withMembers === 0)
    return failed(
      'groups',
      `${count} groups were found, but no members.`,
      `Let the account read ${memberAttributes.join(', ')} of groups.`,
    )
  return worked('groups', `${count} groups were found, ${withMembers} with members.`)
}

async function tryBases(session: LdapSession, bases: readonly string[]): Promise<TestStep> {
  for (const base of bases) {
    const entry = await session.entry({ base, attributes: ['objectClass'] })
    if (!entry || entryTexts(entry, 'objectClass').length === 0)
      return failed(
        'base',
        `The server has no entry “${base}”, or does not show it to the account.`,
        'Check the base, and the rights of the account.',
      )
  }
  return worked('base', `The server shows ${bases.map(base => `“${base}”`).join(', ')}.`)
}

async function trySession(
  session: LdapSession,
  settings: LdapSettings,
  secret: string | null,
  steps: TestStep[],
) {
  const isEncrypted = await tryStep(steps, 'tls', async () =>
    (await session.secure())
      ? worked('tls', 'The connection is encrypted, and the certificate is trusted.')
      : worked('tls', 'The connection is NOT encrypted, because StartTLS is off: the password can be read.'),
  )
  if (!isEncrypted) return
  const isBound = await tryStep(steps, 'bind', async () => {
    await session.bind(settings.bindDn, secret)
    return worked('bind', `The server accepts ${settings.bindDn ?? 'anonymous requests'}.`)
  })
  if (!isBound) return
  let bases = { people: [] as readonly string[], groups: [] as readonly string[] }
  const areFound = await tryStep(steps, 'base', async () => {
    bases = basesOf(settings, await readServerInfo(session, settings))
    return tryBases(session, [...new Set([...bases.people, ...bases.groups])])
  })
  if (!areFound) return
  if (await tryStep(steps, 'people', () => tryPeople(session, settings, bases.people)))
    await tryStep(steps, 'groups', () => tryGroups(session, settings, bases.groups))
}

export async function testLdap({ settings: stored, secret }: OpenIntegration): Promise<TestStep[]> {
  const settings = ldapSettingsOf(stored)
  const signal = AbortSignal.timeout(milliseconds)
  const steps: TestStep[] = []
  let session: LdapSession | undefined
  try {
    await tryStep(steps, 'reach', async () => {
      session = await LdapSession.connect(settings, signal)
      return worked('reach', `${endpointOf(settings).address} answers.`)
    })
    if (session) await trySession(session, settings, secret, steps)
  } finally {
    session?.close()
  }
  return steps
}
