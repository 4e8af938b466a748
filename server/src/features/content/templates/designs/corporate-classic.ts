import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { barred, below, column, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateClassic: Design = {
  id: 'corporate-classic',
  name: 'Classic',
  description: 'A round portrait, a line in the brand colour, and contact data with icons.',
  category: 'corporate',
  build: kit =>
    signature([
      row(16, [
        portrait(kit, 96),
        barred(
          kit,
          column([
            nameLine(kit),
            roleLine(kit, 'job_title'),
            roleLine(kit, 'company', { bold: true, color: kit.palette.text }),
            below(12, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email', 'website'], gap: 0 })),
            below(12, socialRow(kit, { most: 3 })),
          ]),
        ),
      ]),
    ]),
}
