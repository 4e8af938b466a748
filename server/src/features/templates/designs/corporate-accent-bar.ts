import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { barred, below, column, row, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateAccentBar: Design = {
  id: 'corporate-accent-bar',
  name: 'Accent bar',
  description: 'A strong bar in the brand colour, a large name, and contact data in two columns.',
  category: 'corporate',
  build: kit =>
    signature([
      barred(
        kit,
        column([
          nameLine(kit, { size: 'title' }),
          roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
          roleLine(kit, 'department'),
          below(
            12,
            row(16, [iconRows(kit, { keys: ['work_phone'] }), iconRows(kit, { keys: ['email', 'website'] })]),
          ),
        ]),
        { thickness: 4 },
      ),
      below(16, logo(kit, 140, 40)),
    ]),
}
