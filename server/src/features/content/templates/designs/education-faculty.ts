import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { barred, below, column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const educationFaculty: Design = {
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
}
