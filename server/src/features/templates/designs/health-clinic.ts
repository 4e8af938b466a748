import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const healthClinic: Design = {
  id: 'health-clinic',
  name: 'Clinic',
  description: 'Department, name and title beside the portrait, and a button for appointments.',
  category: 'health',
  build: kit => {
    const overline = { size: 'tiny', bold: true, letterSpacing: 1, textTransform: 'uppercase' } as const
    return signature(0, [
      row(20, [
        portrait(kit, 96, 'rounded'),
        column(12, [
          column(0, [
            roleLine(kit, 'department', { ...overline, color: kit.palette.accent }),
            nameLine(kit),
            roleLine(kit, 'job_title'),
          ]),
          iconRows(kit, { keys: ['work_phone', 'email', 'address'], gap: 0 }),
          button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Book an appointment', { radius: 16 }),
        ]),
      ]),
    ])
  },
}
