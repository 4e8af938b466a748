import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { barred, below, column, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateAccentBar: Design = {
  id: 'corporate-accent-bar',
  name: 'Accent bar',
  description: 'A strong bar in the brand colour, a large name, and contact data with icons.',
  category: 'corporate',
  build: kit =>
    signature([
      barred(
        kit,
        column([
          nameLine(kit, { size: 'title' }),
          roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
          roleLine(kit, 'department'),
          below(12, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 })),
        ]),
        { thickness: 4 },
      ),
      below(16, logo(kit, 140, 40)),
    ]),
}
