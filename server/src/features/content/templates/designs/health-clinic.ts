import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { below, column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { portrait } from '../parts/pictures.ts'
import { nameLine, roleLine, spaced } from '../parts/text.ts'

export const healthClinic: Design = {
  id: 'health-clinic',
  name: 'Clinic',
  description: 'Department, name and title beside the portrait, and a button for appointments.',
  category: 'health',
  build: kit =>
    signature([
      row(20, [
        portrait(kit, 96, 'rounded'),
        column([
          roleLine(kit, 'department', { ...spaced, color: kit.palette.accent }),
          nameLine(kit),
          roleLine(kit, 'job_title'),
          below(8, iconRows(kit, { keys: ['work_phone', 'email'] })),
          below(
            12,
            button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Book an appointment', { radius: 16 }),
          ),
        ]),
      ]),
    ]),
}
