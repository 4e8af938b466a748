// Filters of lists and of PATCH paths: the examples of RFC 7644, what is refused and where, and hostile texts.
// @module-tag random
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyCharacter } from '#test/support/any-character.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import {
  connectScim,
  enterpriseSchema,
  type ScimProvider,
  userSchema,
} from '#test/support/directories/scim.ts'
import { loopLimit, watchLoop } from '#test/support/processes/loop-watch.ts'
import { runs } from '#test/support/runs.ts'

let app: TestApp
let scim: ScimProvider
const ids = new Map<string, string>()

const people = [
  {
    userName: 'bjensen',
    name: { familyName: "O'Malley" },
    title: 'Tour Guide',
    userType: 'Employee',
    externalId: 'A1',
    emails: [
      { value: 'Babs@Example.com', type: 'work', primary: true },
      { value: 'babs@jensen.org', type: 'home' },
    ],
    [enterpriseSchema]: { department: 'Tours', employeeNumber: '7', manager: { value: 'm-1' } },
  },
  {
    userName: 'Jsmith',
    userType: 'Intern',
    name: {},
    title: '100% a_b \\ "quoted"',
    externalId: 'a1',
    active: false,
    emails: [{ value: 'jsmith@example.org', type: 'home', primary: 'True' }],
    ims: [{ type: 'xmpp', value: 'j@foo.com' }],
  },
  { userName: 'kim@example.net', userType: 'employee', name: { familyName: 'Kim 😀' } },
]

beforeAll(async () => {
  app = await testApp()
  scim = await connectScim(app)
  for (const person of people) ids.set(person.userName, (await scim.post('/Users', person)).body.id)
  const members = [{ value: ids.get('bjensen') }]
  ids.set('Guides', (await scim.post('/Groups', { displayName: 'Guides', members })).body.id)
  const inner = [{ value: ids.get('Guides') }, { value: ids.get('Jsmith') }]
  ids.set(
    'All',
    (await scim.post('/Groups', { displayName: 'All', externalId: 'x', members: inner })).body.id,
  )
})

const filtered = (filter: string, path = '/Users') => scim.get(`${path}?filter=${encodeURIComponent(filter)}`)
const namesBy = async (filter: string, path?: string): Promise<string[]> => {
  const { status, body, text } = await filtered(filter, path)
  expect(status, text).toBe(200)
  return body.Resources.map((resource: Record<string, string>) => resource.userName ?? resource.displayName)
}

const [babs, smith, kim] = ['bjensen', 'Jsmith', 'kim@example.net'] as const

describe('filters', () => {
  it.each([
    // RFC 7644, section 3.4.2.2, figure 2.
    ['userName eq "BJENSEN"', [babs]],
    [`name.familyName co "O'Malley"`, [babs]],
    ['userName sw "J"', [smith]],
    [`${userSchema}:userName sw "J"`, [smith]],
    ['title pr', [babs, smith]],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', [babs, smith, kim]],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', []],
    ['title pr and userType eq "Employee"', [babs]],
    ['title pr or userType eq "Employee"', [babs, smith, kim]],
    [`schemas eq "${userSchema}"`, [babs, smith, kim]],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', [babs]],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "x.org")', [smith]],
    ['userType eq "Employee" and (emails.type eq "work")', [babs]],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', [babs]],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
      [babs, smith],
    ],
    // `and` binds closer than `or`, and parentheses closer than both.
    ['userType eq "x" and userType eq "y" or userName eq "bjensen"', [babs]],
    ['userName eq "bjensen" or userType eq "x" and userType eq "y"', [babs]],
    ['userType eq "x" and (userType eq "y" or userName eq "bjensen")', []],
    ['not (title pr) or not (not (userName sw "b"))', [babs, kim]],
    // One entry has to match all that is in the brackets.
    ['emails[type eq "home" and value co "@example.com"]', []],
    ['emails.type eq "home" and emails.value co "@example.com"', [babs]],
    ['emails[type eq "work"].value eq "babs@example.com"', [babs]],
    ['emails[type eq "home"].value eq "babs@example.com"', []],
    ['emails[primary eq true]', [babs, smith]],
    ['emails[primary eq false]', [babs]],
    ['emails[not (type eq "work")]', [babs, smith]],
    ['emails[type eq "work" or type eq "home"] and active eq "True"', [babs]],
    // No value differs from every value, and is null.
    ['title ne "Tour Guide"', [smith, kim]],
    ['title eq null and emails eq null', [kim]],
    ['emails.value ne "x" and title ne null', [babs, smith]],
    ['emails.value ne "jsmith@example.org"', [babs, kim]],
    ['emails.value ne "babs@example.com"', [babs, smith, kim]],
    ['name pr', [babs, kim]],
    // Case matters for ids only.
    ['externalId eq "A1"', [babs]],
    ['externalId sw "a"', [smith]],
    ['externalId ne "a1"', [babs, kim]],
    ['TITLE CO "tour"', [babs]],
    // No character is special.
    ['title sw "100%"', [smith]],
    ['title co "%"', [smith]],
    ['title co "A_B"', [smith]],
    ['title co "a%b"', []],
    ['title ew "\\\\ \\"quoted\\""', [smith]],
    ['title sw "\\u0054our"', [babs]],
    ['name.familyName ew "😀"', [kim]],
    ['name.familyName ew "\\ud83d\\ude00"', [kim]],
    // The extension, with its name and without.
    [`${enterpriseSchema}:department eq "tours"`, [babs]],
    [`${enterpriseSchema.toUpperCase()}:Manager.Value eq "m-1"`, [babs]],
    ['manager eq "M-1"', []],
    ['employeeNumber ge "7" and department pr and manager pr and name pr', [babs]],
    ['  ( userName   EQ"bjensen" )  ', [babs]],
    ['', [babs, smith, kim]],
  ] as const)('of users: %s', async (filter, expected) => {
    expect(await namesBy(filter)).toEqual(expected)
  })

  it('of groups compare names, ids and members', async () => {
    const [user, group] = [ids.get(babs), ids.get('Guides')]
    for (const [filter, expected] of [
      ['displayName sw "g"', ['Guides']],
      ['externalId pr', ['All']],
      [`id eq "${group}"`, ['Guides']],
      [`id eq "${group?.toUpperCase()}"`, []],
      [`members eq "${user}" or members.value eq "${group}"`, ['Guides', 'All']],
      [`members.value eq "${user?.toUpperCase()}"`, []],
      [`members[value eq "${group}" and type eq "group"]`, ['All']],
      [`members[value eq "${group}" and type eq "User"]`, []],
      ['members[type eq "User" and display sw "j"]', ['All']],
      ['members.display co "JENSEN"', ['Guides']],
      ['not (members.type eq "Group") and members pr', ['Guides']],
    ] as const)
      expect(await namesBy(filter, '/Groups'), filter).toEqual(expected)
    expect((await filtered('userName pr', '/Groups')).body.scimType).toBe('invalidFilter')
  })

  it.each([
    ['shoeSize gt "4"', 1, 'shoeSize'],
    ['title pr and password eq "x"', 14, 'password'],
    ['emails[size eq "x"]', 8, 'size'],
    ['name[givenName eq "x"]', 1, 'name'],
    ['name eq "x"', 1, 'name'],
    ['schemas[value eq "x"]', 1, 'schemas'],
    ['emails[emails[type eq "x"]]', 14, '“[”'],
    ['title xx "x"', 7, '“xx”'],
    ['title eq', 9, 'ends'],
    ['title eq Tour', 10, '“Tour”'],
    ['title eq "Tour', 10, 'quote'],
    ['title eq "a\\x"', 10, 'text in quotes'],
    ['title eq "a\\u0000"', 10, 'text in quotes'],
    ['title eq "\\ud800"', 10, 'text in quotes'],
    ['title eq 5', 1, 'text in quotes'],
    ['title eq -5.5e3', 1, 'text in quotes'],
    ['title gt null', 10, 'null'],
    ['active gt true', 1, 'eq or ne'],
    ['active eq "maybe"', 1, 'true or false'],
    ['meta.created gt "yesterday"', 1, 'date'],
    ['meta.created gt "0000-01-01T00:00:00Z"', 1, 'date'],
    ['meta.created co "2026"', 1, 'date'],
    ['title pr title pr', 10, '“title”'],
    ['title pr and', 13, 'ends'],
    ['not title pr', 5, '('],
    ['(title pr', 10, ')'],
    ['title pr)', 9, '“)”'],
    ['emails[type pr', 15, ']'],
    ['"x" eq "x"', 1, 'attribute'],
    [`${'('.repeat(22)}title pr${')'.repeat(22)}`, 22, 'deep'],
    [Array.from({ length: 51 }, () => 'title pr').join(' or '), 601, '50'],
    [`title eq "${'x'.repeat(4_000)}"`, 4_001, '4000'],
  ] as const)('that are not valid name the place: %s', async (filter, at, word) => {
    const { status, body } = await filtered(filter)
    expect([status, body.scimType, body.detail]).toEqual([
      400,
      'invalidFilter',
      expect.stringContaining(word),
    ])
    expect(body.detail).toContain(` at character ${at}:`)
  })

  it('choose the entries that a PATCH changes', async () => {
    const values = Array.from({ length: 4 }, (_, n) => ({ value: `${n}5`, type: n < 2 ? 'work' : 'Mobile' }))
    const { id } = (await scim.post('/Users', { userName: 'p@example.com', phoneNumbers: values })).body
    const left = async (op: string, path: string, value?: unknown) => {
      const { body, status, text } = await scim.patch(`/Users/${id}`, { op, path, value })
      expect(status, text).toBe(200)
      return (body.phoneNumbers ?? []).map((entry: { value: string }) => entry.value)
    }
    expect(await left('replace', 'phoneNumbers[value sw "0"].value', 'a')).toEqual(['a', '15', '25', '35'])
    expect(await left('remove', 'phoneNumbers[type ne "work" and not (value ge "3")]')).toEqual([
      'a',
      '15',
      '35',
    ])
    expect(await left('remove', 'phoneNumbers[primary pr or display eq "x"]')).toEqual(['a', '15', '35'])
    expect(await left('replace', 'phoneNumbers[primary eq false].value', '9')).toEqual(['9', '9', '9'])
    expect(await left('remove', `${userSchema}:phoneNumbers[value co "9" and type ew "ILE"]`)).toEqual([
      '9',
      '9',
    ])
    expect(await left('remove', 'phoneNumbers[type eq null]')).toEqual(['9', '9'])
    expect(await left('remove', 'phoneNumbers[type pr]')).toEqual([])
    await scim.del(`/Users/${id}`)
  })
})

describe('hostile filters', () => {
  const tokens = [
    ...[
      'userName',
      'emails',
      'emails[',
      'members',
      'meta.created',
      'id',
      'active',
      'eq',
      'co',
      'pr',
      'gt',
      'NOT',
    ],
    ...[
      '(',
      ')',
      '[',
      ']',
      '].value',
      '"',
      '"x"',
      '\\',
      '"\\"',
      'and',
      'or',
      'not (',
      'null',
      'true',
      '1e999',
      '-',
    ],
    ...[
      '__proto__',
      'constructor',
      'toString',
      '..',
      ':',
      `${userSchema}:`,
      '\0',
      '\ud800',
      '\n',
      '%',
      "'; --",
      '$1',
    ],
  ]
  const soup = fc.array(
    fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: anyCharacter, maxLength: 4 })),
    {
      maxLength: 12,
    },
  )

  it('of any kind are refused or answered', async () => {
    await fc.assert(
      fc.asyncProperty(soup, fc.constantFrom('/Users', '/Groups'), async (parts, path) => {
        const filter = parts.join(' ')
        const query = new URLSearchParams({ filter }).toString()
        const { status, text } = await scim.get(`${path}?${query}`)
        expect([200, 400], `${filter} ${text}`).toContain(status)
      }),
      { numRuns: runs(200) },
    )
  })

  it.each([
    ['deep', '('.repeat(50_000)],
    ['of negations', 'not ('.repeat(20_000)],
    ['of brackets', 'a['.repeat(50_000)],
    ['of quotes', '"'.repeat(100_000)],
    ['with an open text', `title eq "${'\n\\'.repeat(50_000)}`],
    ['of words', 'a '.repeat(50_000)],
    ['of spaces', `title${' '.repeat(100_000)}`],
    ['of comparisons', Array.from({ length: 10_000 }, () => 'title pr').join(' or ')],
    ['at the bounds', Array.from({ length: 50 }, () => `emails.value co "${'a'.repeat(50)}"`).join(' or ')],
  ])('%s do not hold the process', async (_, filter) => {
    const user = `/Users/${ids.get(babs)}`
    for (const length of [100_000, 3_900, 900]) {
      const part = filter.slice(0, length)
      for (const send of [
        () => filtered(part),
        () => scim.patch(user, { op: 'remove', path: `photos[${part}]` }),
      ]) {
        const { result, held } = await watchLoop(send)
        expect([200, 400, 413]).toContain(result.status)
        expect(held).toBeLessThan(loopLimit)
      }
    }
  })
})
