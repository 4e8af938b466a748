import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { column, padding, row, rule, signature } from '../parts/layout.ts'
import { logo, portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateCard: Design = {
  id: 'corporate-card',
  name: 'Business card',
  description: 'A card with a fine border: portrait and name above, contact data below.',
  category: 'corporate',
  build: kit => {
    const frame = { borderColor: kit.palette.line, borderWidth: 1, borderRadius: 8, ...padding(16, 20) }
    return signature(0, [
      column(
        16,
        [
          row(
            16,
            [
              portrait(kit, 72),
              column(0, [
                nameLine(kit),
                roleLine(kit, 'job_title', { color: kit.palette.accent }),
                roleLine(kit, 'company'),
              ]),
            ],
            { verticalAlign: 'middle' },
          ),
          rule(kit),
          row(24, [
            iconRows(kit, { keys: ['work_phone', 'mobile_phone'] }),
            iconRows(kit, { keys: ['email', 'website'] }),
          ]),
          row(24, [logo(kit, 120, 32), socialRow(kit)], { verticalAlign: 'middle' }),
        ],
        { displayName: 'Card', blockStyle: frame },
      ),
    ])
  },
}
