// The people of the demo, with their smart-field values.
import { comparisonKey } from '#kernel/db/text.ts'

export const companyName = 'Northbean Coffee Ltd'

export const people =
  `Ada Moreno|Amara Okafor|Aiko Tanaka|Arjun Mehta|Astrid Nilsen|Bea Fontaine|Ben Whitaker|Bruno Carvalho|Camille Laurent|Chiara Ricci
Chloé Bernard|Daniel Osei|Dilnoza Karimova|Diego Fuentes|Elena Petrova|Elif Yılmaz|Emeka Nwosu|Emma Lindqvist|Farah Haddad|Felix Brandt
Fiona MacLeod|Gabriel Silva|Grace Kim|Hana Nováková|Hassan Rahimi|Hugo Martin|Imani Wanjiru|Ines Duarte|Ivan Horvat|Jonas Weber
Julia Kowalska|Kai Nakamura|Kofi Mensah|Lars Andersen|Leila Benali|Liam O’Connor|Lucía Romero|Maja Jovanović|Marco Bianchi|Mei Lin
Mira Patel|Noah Fischer|Nora Haugen|Omar Farouk|Oskar Virtanen|Paula Schmidt|Ravi Iyer|Sofia Papadaki|Tomás Herrera|Yara Cohen`
    .split(/[|\n]/)
    .map(name => name.split(' ') as [string, string])

const teams: readonly (readonly [department: string, titles: readonly string[]])[] = [
  ['Sales', ['Account Executive', 'Account Manager', 'Sales Engineer']],
  ['Support', ['Support Specialist', 'Support Lead', 'Customer Success Manager']],
  ['Marketing', ['Brand Manager', 'Content Strategist', 'Events Manager']],
  ['Operations', ['Logistics Coordinator', 'Quality Manager', 'Operations Analyst']],
  ['Engineering', ['Software Engineer', 'Data Engineer', 'Engineering Manager']],
]
export const departments: readonly string[] = teams.map(([department]) => department)

/** People from 10 to 14, one of each department, are its heads. */
const firstHead = 2 * teams.length

const offices = ['London', 'Hamburg', 'Lisbon']

/** Smart fields beside the built-in ones. */
export const extraFields = [
  { label: 'Pronouns', kind: 'text' },
  { label: 'LinkedIn', kind: 'url' },
  { label: 'Office', kind: 'text', fallback: 'Remote' },
] as const

const lettersOf = (text: string): string =>
  comparisonKey(text)
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

function titleOf(n: number): string {
  const [department, titles] = pick(teams, n)
  const isHead = n >= firstHead && n < firstHead + teams.length
  return isHead ? `Head of ${department}` : pick(titles, Math.floor(n / teams.length))
}

/** Smart-field values by label; some people lack some values. */
function valuesOf([first, last]: [string, string], n: number): Record<string, string> {
  const [department] = pick(teams, n)
  const handle = `${lettersOf(first)}-${lettersOf(last)}`
  return {
    'First name': first,
    'Last name': last,
    'Job title': titleOf(n),
    Department: department,
    Company: companyName,
    'Work phone': `+44 20 7946 0${String(100 + n)}`,
    ...(n % 3 !== 0 && { 'Mobile phone': `+44 7700 900${String(100 + n)}` }),
    ...((department === 'Sales' || n % 4 === 0) && {
      'Calendar link': `https://calendar.example.com/${handle}`,
    }),
    ...(n % 5 === 0 && { Pronouns: pick(['she/her', 'he/him', 'they/them'], n / 5) }),
    ...(n % 2 === 0 && { LinkedIn: `https://www.linkedin.com/in/${handle}` }),
    ...(n % 7 !== 0 && { Office: pick(offices, n) }),
  }
}

/** Members of org units and groups, by the places of people in the list. */
export function demoMembers() {
  const all = people.map((_, n) => n)
  return {
    all,
    departmentOf: (n: number): string => pick(teams, n)[0],
    titleOf,
    heads: all.filter(n => titleOf(n).startsWith('Head of ')),
    ofOffice: (office: string) => all.filter(n => n % 7 !== 0 && pick(offices, n) === office),
  }
}

export interface DemoRow {
  readonly name: string
  readonly email: string
  readonly smart_fields: readonly object[]
}

/** The people as rows of an import. */
export const demoRows = (fieldIds: ReadonlyMap<string, string>): readonly DemoRow[] =>
  people.map((person, n) => ({
    name: person.join(' '),
    email: `${lettersOf(person[0])}.${lettersOf(person[1])}@northbean.example`,
    smart_fields: Object.entries(valuesOf(person, n)).flatMap(([label, value]) => {
      const smart_field_id = fieldIds.get(label)
      return smart_field_id ? [{ smart_field_id, value }] : []
    }),
  }))
