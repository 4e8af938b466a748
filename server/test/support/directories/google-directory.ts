// The Directory API of the fake Google: users, groups, members, org units, domains and photos, with pages, scopes, roles
// and errors like the real one.
import { randomUUID } from 'node:crypto'

const scopeOf = (name: string): string => `https://www.googleapis.com/auth/admin.directory.${name}.readonly`
export const directoryScopeNames = ['user', 'group', 'orgunit', 'domain'].map(scopeOf)

export interface FakeUser {
  id: string
  primaryEmail: string
  name: { givenName: string; familyName: string; fullName: string }
  aliases: string[]
  suspended: boolean
  orgUnitPath: string
  title: string
  department: string
  workPhone: string | null
  pronouns: string | null
  photo: Buffer | null
  photoEtag: string | null
}

export interface FakeGroup {
  id: string
  email: string
  name: string
  /** Ids of users and groups; `customer` stands for all people of the company. */
  members: Set<string>
}

export interface FakeUnit {
  id: string
  path: string
  parentId: string | null
}

/** Reactions of the API to a request. */
export type DirectoryBehavior =
  | 'well'
  | 'cut'
  | 'reset'
  | 'too many'
  | 'down'
  | 'not allowed'
  | 'expired page'

export interface DirectoryAnswer {
  readonly status: number
  readonly body: object | null
  /** Only the first half of the body is sent. */
  readonly isCut?: boolean
}

interface PageToken {
  readonly query: string
  readonly after: string
}

const refusal = (code: number, reason: string, message: string): DirectoryAnswer => ({
  status: code,
  body: { error: { code, message, errors: [{ message, domain: 'global', reason }] } },
})

const behaviors: Readonly<Record<DirectoryBehavior, DirectoryAnswer | null>> = {
  well: null,
  cut: null,
  reset: { status: 0, body: null },
  'too many': refusal(429, 'rateLimitExceeded', 'Rate Limit Exceeded'),
  down: refusal(503, 'backendError', 'Service unavailable. Please try again'),
  'not allowed': refusal(403, 'notAuthorized', 'Not Authorized to access this resource/API'),
  'expired page': refusal(400, 'invalid', 'Invalid Input: pageToken'),
}

/** Google's own alphabet for pictures. */
const photoText = (bytes: Buffer): string =>
  bytes.toString('base64').replaceAll('/', '_').replaceAll('+', '-').replaceAll('=', '*')

export class FakeDirectory {
  readonly users = new Map<string, FakeUser>()
  readonly groups = new Map<string, FakeGroup>()
  readonly units = new Map<string, FakeUnit>()
  readonly domains = ['example.com']
  /** Administrators whose role may read the directory. */
  readonly admins = new Set<string>()
  readonly faults: string[] = []
  readonly requests: string[] = []
  behavior: (path: string, query: URLSearchParams) => DirectoryBehavior = () => 'well'
  /** Users on a page, at most: smaller pages make more of them. */
  largestPage = 500
  readonly #tokens = new Map<string, PageToken>()

  answer(
    path: string,
    query: URLSearchParams,
    grant: { user: string; scopes: ReadonlySet<string> },
  ): DirectoryAnswer {
    this.requests.push(path)
    const match = this.#find(path, query)
    if (!match) {
      this.faults.push(`GET ${path}`)
      return refusal(404, 'notFound', 'Not Found')
    }
    if (!grant.scopes.has(scopeOf(match.scope)))
      return refusal(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.')
    if (!this.admins.has(grant.user)) return behaviors['not allowed'] as DirectoryAnswer
    const behavior = this.behavior(path, query)
    const special = behaviors[behavior]
    if (special) return special
    const answer = match.answer()
    return behavior === 'cut' ? { ...answer, isCut: true } : answer
  }

  #find(path: string, query: URLSearchParams): { scope: string; answer: () => DirectoryAnswer } | undefined {
    const [, group] = /^groups\/([^/]+)\/members$/.exec(path) ?? []
    const [, user] = /^users\/([^/]+)\/photos\/thumbnail$/.exec(path) ?? []
    if (path === 'users') return { scope: 'user', answer: () => this.#usersPage(query) }
    if (path === 'groups') return { scope: 'group', answer: () => this.#groupsPage(query) }
    if (path === 'customer/my_customer/orgunits')
      return { scope: 'orgunit', answer: () => this.#unitList(query) }
    if (path === 'customer/my_customer/domains') return { scope: 'domain', answer: () => this.#domainList() }
    if (group !== undefined)
      return { scope: 'group', answer: () => this.#membersPage(decodeURIComponent(group), query) }
    if (user !== undefined) return { scope: 'user', answer: () => this.#photo(decodeURIComponent(user)) }
    return undefined
  }

  /** One page of a list in the order of its keys. A token is valid for the request that it was given for. */
  #page(
    query: URLSearchParams,
    keys: readonly string[],
    largest: number,
  ): { page: string[]; next?: string } | null {
    const asked = new URLSearchParams(query)
    const token = asked.get('pageToken')
    asked.delete('pageToken')
    asked.sort()
    const given = token === null ? undefined : this.#tokens.get(token)
    if (token !== null && given?.query !== asked.toString()) return null
    const size = Math.min(Number(query.get('maxResults') ?? 100), largest)
    const rest = [...keys].sort().filter(key => given === undefined || key > given.after)
    const page = rest.slice(0, size)
    if (rest.length <= size) return { page }
    const next = randomUUID()
    this.#tokens.set(next, { query: asked.toString(), after: page.at(-1) ?? '' })
    return { page, next }
  }

  #listed(
    query: URLSearchParams,
    kind: string,
    name: string,
    items: ReadonlyMap<string, object>,
    largest: number,
    pageSize = largest,
  ): DirectoryAnswer {
    if (Number(query.get('maxResults')) > largest) return refusal(400, 'invalid', 'Invalid Input: maxResults')
    const page = this.#page(query, [...items.keys()], pageSize)
    if (!page) return behaviors['expired page'] as DirectoryAnswer
    const list = page.page.map(key => items.get(key))
    return {
      status: 200,
      body: {
        kind,
        etag: '"x"',
        ...(list.length > 0 && { [name]: list }),
        ...(page.next && { nextPageToken: page.next }),
      },
    }
  }

  #usersPage(query: URLSearchParams): DirectoryAnswer {
    if (query.get('customer') !== 'my_customer') return refusal(400, 'badRequest', 'Bad Request')
    const mask = /users\((.*)\)/.exec(query.get('fields') ?? '')?.[1] ?? ''
    const isAsked = (name: string) => mask === '' || new RegExp(`(^|,)${name}(,|\\(|$)`).test(mask)
    const items = new Map(
      [...this.users.values()].map(user => [
        user.primaryEmail,
        Object.fromEntries(Object.entries(userJson(user)).filter(([name]) => isAsked(name))),
      ]),
    )
    return this.#listed(query, 'admin#directory#users', 'users', items, 500, this.largestPage)
  }

  #groupsPage(query: URLSearchParams): DirectoryAnswer {
    if (query.get('customer') !== 'my_customer') return refusal(400, 'badRequest', 'Bad Request')
    const items = new Map(
      [...this.groups.values()].map(({ id, email, name }) => [
        email,
        { kind: 'admin#directory#group', id, email, name },
      ]),
    )
    return this.#listed(query, 'admin#directory#groups', 'groups', items, 200)
  }

  #membersPage(groupId: string, query: URLSearchParams): DirectoryAnswer {
    const group = this.groups.get(groupId)
    if (!group) return refusal(404, 'notFound', 'Resource Not Found: groupKey')
    const items = new Map([...group.members].map(id => [id, this.#memberJson(id)]))
    return this.#listed(query, 'admin#directory#members', 'members', items, 200)
  }

  #memberJson(id: string): object {
    if (id === 'customer') return { kind: 'admin#directory#member', id: 'C0customer', type: 'CUSTOMER' }
    return { kind: 'admin#directory#member', id, type: this.groups.has(id) ? 'GROUP' : 'USER' }
  }

  #unitList(query: URLSearchParams): DirectoryAnswer {
    const organizationUnits = [...this.units.values()]
      .filter(({ parentId }) => parentId !== null || query.get('type') === 'allIncludingParent')
      .map(({ id, path, parentId }) => ({
        kind: 'admin#directory#orgUnit',
        name: path.split('/').at(-1),
        orgUnitPath: path,
        orgUnitId: id,
        ...(parentId && { parentOrgUnitId: parentId }),
      }))
    return { status: 200, body: { kind: 'admin#directory#orgUnits', organizationUnits } }
  }

  #domainList(): DirectoryAnswer {
    const domains = this.domains.map(domainName => ({ domainName, verified: true, domainAliases: [] }))
    return { status: 200, body: { kind: 'admin#directory#domains', domains } }
  }

  #photo(userId: string): DirectoryAnswer {
    const user = this.users.get(userId)
    if (!user?.photo) return refusal(404, 'notFound', 'Resource Not Found: photo')
    return {
      status: 200,
      body: {
        kind: 'admin#directory#user#photo',
        id: user.id,
        mimeType: 'image/jpeg',
        width: 96,
        height: 96,
        photoData: photoText(user.photo),
      },
    }
  }
}

function userJson(user: FakeUser): object {
  return {
    kind: 'admin#directory#user',
    id: user.id,
    primaryEmail: user.primaryEmail,
    name: user.name,
    ...(user.aliases.length > 0 && { aliases: user.aliases }),
    nonEditableAliases: [`${user.primaryEmail}.test-google-a.com`],
    suspended: user.suspended,
    archived: false,
    orgUnitPath: user.orgUnitPath,
    organizations: [
      { title: 'Former title', department: 'Former', primary: false },
      { title: user.title, department: user.department, primary: true, customType: '' },
    ],
    ...(user.workPhone && { phones: [{ value: user.workPhone, type: 'work' }] }),
    ...(user.pronouns && {
      customSchemas: { Contact: { pronouns: user.pronouns, languages: [{ value: 'en' }, { value: 'de' }] } },
    }),
    recoveryEmail: 'private@home.example',
    ...(user.photoEtag && { thumbnailPhotoUrl: 'https://example.com/p', thumbnailPhotoEtag: user.photoEtag }),
  }
}
