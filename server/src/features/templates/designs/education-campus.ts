import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { column, row, rule, signature } from '../parts/layout.ts'
import { socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const educationCampus: Design = {
  id: 'education-campus',
  name: 'Campus',
  description:
    'A line in the brand colour on top, the department over the name, contact data in two columns.',
  category: 'education',
  build: kit => {
    const overline = { size: 'tiny', bold: true, letterSpacing: 1, textTransform: 'uppercase' } as const
    return signature(12, [
      rule(kit, { displayName: 'Accent', color: kit.palette.fill, thickness: 4 }),
      column(0, [
        roleLine(kit, 'department', { ...overline, color: kit.palette.accent }),
        nameLine(kit, { size: 'title' }),
        roleLine(kit, 'job_title'),
        roleLine(kit, 'company'),
      ]),
      row(24, [
        iconRows(kit, { keys: ['work_phone', 'email'] }),
        iconRows(kit, { keys: ['website', 'address'] }),
      ]),
      socialRow(kit),
    ])
  },
}
