import type { Design } from '../design.ts'
import { contactLine, iconRows, letterLine } from '../parts/contacts.ts'
import { barred, below, column, row, rule, signature, spaceAtRight } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine, spaced } from '../parts/text.ts'

export const educationDesigns: readonly Design[] = [
  {
    id: 'education-faculty',
    name: 'Faculty',
    description: 'A serif name beside the crest, the department, and a button for office hours.',
    category: 'education',
    build: kit => {
      const serif = { font: kit.font ?? 'Georgia' } as const
      const facts = column([
        nameLine(kit, serif),
        roleLine(kit, 'job_title', { ...serif, fontStyle: 'italic' }),
        roleLine(kit, 'department', serif),
        below(8, contactLine(kit, ['email', 'website'], serif)),
        letterLine(kit, ['work_phone'], serif),
        below(
          12,
          button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Office hours', {
            ...serif,
            variant: 'outline',
          }),
        ),
      ])
      const crest = logo(kit, 120, 88)
      return signature([
        crest === null ? barred(kit, facts) : row(20, [crest, barred(kit, facts, { gap: 20 })]),
      ])
    },
  },
  {
    id: 'education-campus',
    name: 'Campus',
    description:
      'A line in the brand colour on top, the department over a large name, contact data in two columns.',
    category: 'education',
    build: kit =>
      signature([
        rule(kit, {
          displayName: 'Accent',
          color: kit.palette.fill,
          thickness: 4,
          blockStyle: { marginBottom: 12 },
        }),
        roleLine(kit, 'department', { ...spaced, color: kit.palette.accent }),
        below(4, nameLine(kit, { size: 'title' })),
        roleLine(kit, 'job_title'),
        roleLine(kit, 'company'),
        below(
          12,
          row(16, [
            spaceAtRight(16, iconRows(kit, { keys: ['work_phone', 'email'] })),
            iconRows(kit, { keys: ['website', 'address'] }),
          ]),
        ),
      ]),
  },
]
