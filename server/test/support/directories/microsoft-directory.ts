// The part of the fake Microsoft Graph that has people: delta queries with links, users, domains and photos, with the
// permissions and errors of the real one.
import { randomUUID } from 'node:crypto'
import {
  changedGroups,
  changedUsers,
  type FakeGroups,
  type FakeUsers,
  firstGroups,
  firstUsers,
} from './microsoft-deltas.ts'

export interface EntraUser {
  readonly id: string
  /** Null: no mailbox. */
  primary: string | null
  aliases: string[]
  userType: 'Member' | 'Guest' | null
  accountEnabled: boolean
  /** Other properties; null or missing ones were never set, or are cleared. */
  readonly values: Record<string, unknown>
  photo: { bytes: Buffer; tag: string } | null
}

export interface EntraGroup {
  readonly id: string
  displayName: string
  /** Ids of users, groups and devices. A user who is deleted stays here, and is a member again when it is restored. */
  readonly members: Set<string>
}

/** Reactions of Graph to a request. */
export type GraphBehavior =
  | 'well'
  | 'cut'
  | 'lost connection'
  | 'too many'
  | 'down'
  | 'not allowed'
  | 'gone'
  | 'expired'
  | 'elsewhere'

export interface GraphReply {
  readonly status: number
  readonly body: object | Buffer | null
  readonly headers?: Readonly<Record<string, string>>
  readonly isCut?: boolean
}

const refusal = (status: number, code: string, message: string, headers = {}): GraphReply => ({
  status,
  body: { error: { code, message, innerError: { 'request-id': randomUUID() } } },
  headers,
})

const denied = refusal(
  403,
  'Authorization_RequestDenied',
  'Insufficient privileges to complete the operation.',
)
const unknownLink = refusal(400, 'syncStateNotFound', 'The sync state generation is not found; deltaToken')

/** The properties of users that exist; requests for others are refused. */
const knownProperties = new Set(
  'id,mail,proxyAddresses,userType,accountEnabled,givenName,surname,displayName,jobTitle,department,companyName,businessPhones,mobilePhone,faxNumber,officeLocation,streetAddress,postalCode,city,state,country,employeeId,preferredLanguage,userPrincipalName,onPremisesExtensionAttributes,extension_1_pronouns'.split(
    ',',
  ),
)
const groupProperties = new Set(['id', 'displayName', 'members', 'mail', 'securityEnabled'])

type Resource = 'users' | 'groups'
interface Round {
  readonly resource: Resource
  readonly select: readonly string[]
  readonly items: readonly object[]
  readonly snapshot: FakeUsers | FakeGroups
}
type Link =
  | { readonly kind: 'skip'; readonly round: Round; readonly from: number }
  | { readonly kind: 'delta'; readonly round: Omit<Round, 'items'> }

export class FakeEntra {
  readonly users = new Map<string, EntraUser>()
  readonly groups = new Map<string, EntraGroup>()
  readonly domains = [
    { id: 'example.com', isVerified: true },
    { id: 'tenant.onmicrosoft.com', isVerified: true },
    { id: 'not-proved.example', isVerified: false },
  ]
  /** Requests that a correct client never sends. */
  readonly faults: string[] = []
  readonly requests: string[] = []
  behavior: (path: string, query: URLSearchParams) => GraphBehavior = () => 'well'
  /** Objects on a page of a delta. */
  pageSize = 100
  /** Members in one record of a group: more come in further records. */
  membersPerRecord = 1_000
  /** True if something untidy happens that Microsoft's documents allow: parts, repetitions, any order, old replicas. */
  chance: (probability: number) => boolean = () => false
  readonly #links = new Map<string, Link>()
  readonly #earlier = new Set<string>()
  /** The states of the last two rounds of users: an old replica answers with the older one. */
  #recent: readonly [older: FakeUsers, newer: FakeUsers] = [new Map(), new Map()]
  readonly #origin: () => string

  constructor(origin: () => string) {
    this.#origin = origin
  }

  /** Microsoft forgets all links. */
  forgetLinks(): void {
    this.#links.clear()
  }

  answer(path: string, query: URLSearchParams, roles: ReadonlySet<string>): GraphReply {
    this.requests.push(path)
    const match = this.#find(path, query)
    if (!match) {
      this.faults.push(`GET ${path}`)
      return refusal(404, 'Request_ResourceNotFound', 'Resource not found.')
    }
    if (!match.roles.some(role => roles.has(role))) return denied
    const behavior = this.behavior(path, query)
    if (behavior === 'well') return match.answer()
    if (behavior === 'cut') return { ...match.answer(), isCut: true }
    if (behavior === 'elsewhere') return elsewhere(match.answer())
    return this.#trouble(behavior, path)
  }

  #trouble(behavior: Exclude<GraphBehavior, 'well' | 'cut' | 'elsewhere'>, path: string): GraphReply {
    const start = `${this.#origin()}/v1.0/${path}?$deltatoken=`
    const replies: Readonly<Record<typeof behavior, GraphReply>> = {
      'lost connection': { status: 0, body: null },
      'too many': refusal(429, 'TooManyRequests', 'Too many requests', { 'retry-after': '1' }),
      down: refusal(503, 'serviceNotAvailable', 'The service is unavailable.'),
      'not allowed': denied,
      gone: refusal(410, 'syncStateNotFound', 'Resync required.', { location: start }),
      expired: unknownLink,
    }
    return replies[behavior]
  }

  #find(path: string, query: URLSearchParams) {
    const users = ['User.Read.All']
    const [, userId, rest] = /^users\/([^/]+)(\/.*)?$/.exec(path) ?? []
    if (path === 'users/delta') return { roles: users, answer: () => this.#delta('users', query) }
    if (path === 'groups/delta')
      return { roles: ['GroupMember.Read.All'], answer: () => this.#delta('groups', query) }
    if (path === 'domains') return { roles: ['Domain.Read.All'], answer: () => ok({ value: this.domains }) }
    if (path === 'users') return { roles: users, answer: () => this.#firstUser() }
    if (userId === undefined) return undefined
    if (rest === undefined) return { roles: users, answer: () => this.#user(userId, query) }
    const photos = ['ProfilePhoto.Read.All']
    if (rest === '/photo') return { roles: photos, answer: () => this.#photo(userId, false) }
    if (/^\/photos?\/(?:240x240\/)?\$value$/.test(rest))
      return { roles: photos, answer: () => this.#photo(userId, true) }
    return undefined
  }

  #select(query: URLSearchParams, resource: Resource): string[] | undefined {
    const select = (query.get('$select') ?? '').split(',')
    const properties = resource === 'users' ? knownProperties : groupProperties
    return select.every(name => properties.has(name)) ? select : undefined
  }

  #delta(resource: Resource, query: URLSearchParams): GraphReply {
    const names = [...query.keys()]
    const refused = names.find(name => !['$select', '$skiptoken', '$deltatoken'].includes(name))
    if (refused !== undefined) {
      this.faults.push(`${resource}/delta with ${refused}`)
      return refusal(400, 'Request_BadRequest', `${refused} is not supported.`)
    }
    const token = query.get('$skiptoken') ?? query.get('$deltatoken')
    if (token !== null && token !== 'latest' && token !== '') {
      if (names.length > 1) this.faults.push(`${resource}/delta with a token and ${names.join()}`)
      return this.#follow(resource, token)
    }
    const select = this.#select(query, resource)
    if (!select) return refusal(400, 'Request_BadRequest', 'Could not find a property named that.')
    const snapshot = this.#snapshot(resource)
    if (token === 'latest')
      return ok({
        value: [],
        '@odata.deltaLink': this.#link({ kind: 'delta', round: { resource, select, snapshot } }),
      })
    if (resource === 'users') this.#recent = [snapshot as FakeUsers, snapshot as FakeUsers]
    const items =
      resource === 'users'
        ? firstUsers(snapshot as FakeUsers, select, this.#gone(), this.chance)
        : firstGroups(snapshot as FakeGroups, this.membersPerRecord, this.chance)
    return this.#page({ resource, select, items, snapshot }, 0)
  }

  #follow(resource: Resource, token: string): GraphReply {
    const link = this.#links.get(token)
    if (!link || link.round.resource !== resource) return unknownLink
    if (link.kind === 'skip') return this.#page(link.round, link.from)
    const { select, snapshot: before } = link.round
    const snapshot = this.#snapshot(resource)
    const items =
      resource === 'users'
        ? changedUsers(before as FakeUsers, snapshot as FakeUsers, select, this.#gone(), this.chance)
        : changedGroups(before as FakeGroups, snapshot as FakeGroups, this.membersPerRecord, this.chance)
    return this.#page({ resource, select, items, snapshot }, 0)
  }

  #page(round: Round, from: number): GraphReply {
    const until = from + this.pageSize
    const isLast = until >= round.items.length
    if (isLast && round.resource === 'users') this.#recent = [this.#recent[1], round.snapshot as FakeUsers]
    const { items, ...rest } = round
    const link = this.#link(isLast ? { kind: 'delta', round: rest } : { kind: 'skip', round, from: until })
    return ok({ value: items.slice(from, until), [isLast ? '@odata.deltaLink' : '@odata.nextLink']: link })
  }

  #link(link: Link): string {
    const token = randomUUID()
    this.#links.set(token, link)
    const name = link.kind === 'skip' ? '$skiptoken' : '$deltatoken'
    return `${this.#origin()}/v1.0/${link.round.resource}/delta?${name}=${token}`
  }

  /** Users that existed in an earlier round. */
  #gone(): string[] {
    return [...this.#earlier].filter(id => !this.users.has(id))
  }

  #snapshot(resource: Resource): FakeUsers | FakeGroups {
    for (const id of this.users.keys()) this.#earlier.add(id)
    if (resource === 'users')
      return new Map([...this.users.values()].map(user => [user.id, propertiesOf(user)]))
    const isThere = (id: string) => this.users.has(id) || this.groups.has(id) || id.startsWith('device')
    const typeOf = (id: string) =>
      this.groups.has(id) ? 'group' : id.startsWith('device') ? 'device' : 'user'
    return new Map(
      [...this.groups.values()].map(({ id, displayName, members }) => [
        id,
        {
          displayName,
          members: new Set(members),
          visible: new Map([...members].filter(isThere).map(member => [member, typeOf(member)])),
        },
      ]),
    )
  }

  #user(id: string, query: URLSearchParams): GraphReply {
    const select = this.#select(query, 'users')
    if (!select) return refusal(400, 'Request_BadRequest', 'Could not find a property named that.')
    const user = this.users.get(id)
    // An old replica: what the previous round has told, and nothing about new users.
    const properties = this.chance(0.2) ? this.#recent[0].get(id) : user && propertiesOf(user)
    if (!properties) return refusal(404, 'Request_ResourceNotFound', `Resource '${id}' does not exist.`)
    return ok(Object.fromEntries(select.map(name => [name, properties[name] ?? null])))
  }

  #firstUser(): GraphReply {
    return ok({ value: [...this.users.keys()].slice(0, 1).map(id => ({ id })) })
  }

  #photo(id: string, isContent: boolean): GraphReply {
    const photo = this.users.get(id)?.photo
    if (!photo) return refusal(404, 'ImageNotFound', 'The photo was not found.')
    if (isContent)
      return { status: 200, body: photo.bytes, headers: { etag: photo.tag, 'content-type': 'image/jpeg' } }
    return ok({ '@odata.mediaContentType': 'image/jpeg', '@odata.mediaEtag': photo.tag, id: '240x240' })
  }
}

const ok = (body: object): GraphReply => ({ status: 200, body })

/** A next link or delta link on a host of an attacker. */
function elsewhere(reply: GraphReply): GraphReply {
  const text = JSON.stringify(reply.body).replaceAll('//127.0.0.1:', '//localhost:')
  return { ...reply, body: JSON.parse(text) }
}

function propertiesOf(user: EntraUser): Record<string, unknown> {
  const { id, primary, aliases, userType, accountEnabled, values } = user
  const all = {
    id,
    mail: primary,
    proxyAddresses:
      primary === null
        ? null
        : [
            `X500:/o=Example/cn=${id}`,
            ...aliases.map(alias => `smtp:${alias}`),
            `SMTP:${primary}`,
            `smtp:${id}@tenant.onmicrosoft.com`,
            `SIP:${primary}`,
          ],
    userType,
    accountEnabled,
    userPrincipalName: `${id}@tenant.onmicrosoft.com`,
    ...values,
  }
  return Object.fromEntries(Object.entries(structuredClone(all)).filter(([, value]) => value !== null))
}
