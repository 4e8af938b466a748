import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
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
    // The row has a space of 16 px below it already.
    const panel = { backgroundColor: fill, borderRadius: 8, ...padding(16, 20), paddingBottom: 0 }
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
            { verticalAlign: 'middle' },
          ),
        ],
        { displayName: 'Panel', blockStyle: panel },
      ),
      below(12, contactLine(kit, ['email', 'website'])),
      letterLine(kit, ['work_phone', 'mobile_phone']),
      below(12, socialRow(kit)),
    ])
  },
}
