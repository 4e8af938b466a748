import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { below, column, row, signature } from '../parts/layout.ts'
import { banner } from '../parts/links.ts'
import { logo, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesBanner: Design = {
  id: 'sales-banner',
  name: 'Campaign',
  description: 'Logo and name in few words, then the banner of the running campaign in full width.',
  category: 'sales',
  build: kit =>
    signature([
      row(
        20,
        [
          logo(kit, 120, 48),
          column([
            nameLine(kit, { size: 'lead' }),
            roleLine(kit, 'job_title'),
            contactLine(kit, ['work_phone', 'email']),
          ]),
        ],
        { verticalAlign: 'middle' },
      ),
      below(12, banner()),
      below(12, socialRow(kit, { size: 24, gap: 8, discs: true })),
    ]),
}
