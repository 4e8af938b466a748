import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { barred, column, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateClassic: Design = {
  id: 'corporate-classic',
  name: 'Classic',
  description: 'A round portrait, a line in the brand colour, and contact data with icons.',
  category: 'corporate',
  build: kit =>
    signature(0, [
      row(16, [
        portrait(kit, 96),
        barred(
          kit,
          column(12, [
            column(0, [nameLine(kit), roleLine(kit, 'job_title'), roleLine(kit, 'company')]),
            iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email', 'website'] }),
            socialRow(kit),
          ]),
        ),
      ]),
    ]),
}
