import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { barred, below, column, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateProfile: Design = {
  id: 'corporate-profile',
  name: 'Profile',
  description: 'Portrait and social profiles at the left of a fine line, contact data at its right.',
  category: 'corporate',
  build: kit =>
    signature([
      row(20, [
        column(
          [portrait(kit, 112), below(12, socialRow(kit, { size: 24, gap: 8, discs: true, align: 'center' }))],
          { align: 'center' },
        ),
        barred(
          kit,
          column([
            nameLine(kit),
            roleLine(kit, 'job_title', { color: kit.palette.accent }),
            roleLine(kit, 'department'),
            below(12, letterRows(kit, { keys: ['work_phone', 'email', 'website'], gap: 0 })),
          ]),
          { thickness: 1, gap: 20, color: kit.palette.line },
        ),
      ]),
    ]),
}
