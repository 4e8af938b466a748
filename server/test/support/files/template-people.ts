// Generated people for templates: with missing and long values, and in several scripts.
import fc from 'fast-check'
import type { FieldKey } from '#features/content/templates/design.ts'

export type TemplatePerson = Readonly<Record<FieldKey, string>>

const names = [
  'Li',
  'Alex',
  'Maximiliane-Charlotte',
  'Wolfeschlegelsteinhausen',
  '美玲',
  '山田太郎',
  'ليلى',
  'עמית',
  'Zoë 🚀',
  'O’Connor & Sons <b>',
]
const phrases = [
  'Engineer',
  'Senior Vice President of International Business Development and Strategic Partnerships',
  '国际业务发展部高级副总裁兼战略合作与市场拓展部总经理',
  'مديرة الشراكات الدولية وتطوير الأعمال في الشرق الأوسط',
  'מנהלת פיתוח עסקי ושותפויות אסטרטגיות',
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  'Chief 🎨 Officer “Design & Things”',
  'two\nlines',
]
const phones = ['+44 117 496 0123', '+49 (0) 7931 5550 1234 ext. 98765', '117']
const emails = [
  'a@b.example',
  'alex.morgan@summit.example',
  'firstname.lastname@companyname.example',
  'maximiliane-charlotte.von-hohenlohe-langenburg@international.summit-consulting.example',
]

const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const optional = (values: readonly string[]) =>
  fc.oneof({ arbitrary: fc.constant(''), weight: 1 }, { arbitrary: oneOf(values), weight: 3 })

export const templatePerson: fc.Arbitrary<TemplatePerson> = fc.record({
  first_name: optional(names),
  last_name: optional(names),
  job_title: optional(phrases),
  department: optional(phrases),
  company: optional(phrases),
  work_phone: optional(phones),
  mobile_phone: optional(phones),
  calendar_link: optional(['https://cal.example.com/alex', 'cal.example.com/alex']),
  profile_picture: optional(['https://people.example/alex.jpg']),
  email: oneOf(emails),
})
