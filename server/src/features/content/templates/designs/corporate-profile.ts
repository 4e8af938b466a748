import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
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
          [
            portrait(kit, 100),
            below(12, socialRow(kit, { size: 24, gap: 8, discs: true, align: 'center', most: 3 })),
          ],
          { align: 'center' },
        ),
        barred(
          kit,
          column([
            nameLine(kit),
            roleLine(kit, 'job_title', { color: kit.palette.accent }),
            below(
              12,
              iconRows(kit, {
                keys: ['work_phone', 'mobile_phone', 'email', 'website'],
                gap: 0,
                iconColor: kit.palette.muted,
              }),
            ),
          ]),
          { thickness: 1, gap: 20, color: kit.palette.line },
        ),
      ]),
    ]),
}
