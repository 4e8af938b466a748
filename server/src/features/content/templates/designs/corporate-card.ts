import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { below, column, padding, row, rule, signature } from '../parts/layout.ts'
import { portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateCard: Design = {
  id: 'corporate-card',
  name: 'Business card',
  description: 'A card with a fine border: portrait and name above, contact data below a line.',
  category: 'corporate',
  build: kit => {
    const frame = { borderColor: kit.palette.line, borderWidth: 1, borderRadius: 8, ...padding(20, 24) }
    return signature([
      column(
        [
          row(
            16,
            [
              portrait(kit, 64),
              column([
                nameLine(kit),
                roleLine(kit, 'job_title', { color: kit.palette.accent }),
                roleLine(kit, 'company'),
              ]),
            ],
            { wrap: false, verticalAlign: 'middle' },
          ),
          below(16, rule(kit)),
          below(16, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'] })),
        ],
        { displayName: 'Card', blockStyle: frame },
      ),
    ])
  },
}
