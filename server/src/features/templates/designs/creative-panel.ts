import type { Design } from '../design.ts'
import { contactLine, iconRows } from '../parts/contacts.ts'
import { column, padding, row, signature } from '../parts/layout.ts'
import { portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const creativePanel: Design = {
  id: 'creative-panel',
  name: 'Colour panel',
  description: 'Name and title on a panel in the brand colour, contact data below it.',
  category: 'creative',
  build: kit => {
    const { fill, onFill } = kit.palette
    const panel = { backgroundColor: fill, borderRadius: 8, ...padding(16, 20) }
    return signature(12, [
      column(
        0,
        [
          row(
            16,
            [
              portrait(kit, 72),
              column(0, [
                nameLine(kit, { size: 'title', color: onFill }),
                roleLine(kit, 'job_title', { size: 'lead', color: onFill }),
                roleLine(kit, 'company', { color: onFill }),
              ]),
            ],
            { verticalAlign: 'middle' },
          ),
        ],
        { displayName: 'Panel', blockStyle: panel },
      ),
      iconRows(kit, { keys: ['work_phone', 'mobile_phone'] }),
      contactLine(kit, ['email', 'website']),
      socialRow(kit),
    ])
  },
}
