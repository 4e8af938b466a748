import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { barred, column, row, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateAccentBar: Design = {
  id: 'corporate-accent-bar',
  name: 'Accent bar',
  description: 'A strong bar in the brand colour, and contact data in two columns.',
  category: 'corporate',
  build: kit =>
    signature(16, [
      barred(
        kit,
        column(12, [
          column(0, [
            nameLine(kit, { size: 'title' }),
            roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
            roleLine(kit, 'department'),
          ]),
          row(24, [
            iconRows(kit, { keys: ['work_phone', 'mobile_phone'] }),
            iconRows(kit, { keys: ['email', 'website'] }),
          ]),
        ]),
        { thickness: 4 },
      ),
      logo(kit, 140, 40),
    ]),
}
