import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { below, column, padding, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const creativePanel: Design = {
  id: 'creative-panel',
  name: 'Colour panel',
  description: 'Portrait, name and title on a panel in the brand colour, contact data below it.',
  category: 'creative',
  build: kit => {
    const { fill, onFill } = kit.palette
    return signature([
      column(
        [
          row(
            16,
            [
              portrait(kit, 72),
              column([
                nameLine(kit, { size: 'title', color: onFill }),
                roleLine(kit, 'job_title', { size: 'lead', color: onFill }),
              ]),
            ],
            { wrap: false, verticalAlign: 'middle' },
          ),
        ],
        { displayName: 'Panel', blockStyle: { backgroundColor: fill, borderRadius: 8, ...padding(16, 20) } },
      ),
      below(12, contactLine(kit, ['work_phone', 'mobile_phone'])),
      contactLine(kit, ['email', 'website']),
      below(12, socialRow(kit)),
    ])
  },
}
