import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { banner, below, column, row, signature } from '../parts/layout.ts'
import { logo, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesBanner: Design = {
  id: 'sales-banner',
  name: 'Campaign',
  description: 'Logo and name in few words, then the banner of the running campaign in full width.',
  category: 'sales',
  isDrawnWithBanner: true,
  build: kit => {
    const mark = logo(kit, 120, 48)
    const facts = column([
      nameLine(kit, { size: 'lead' }),
      roleLine(kit, 'job_title'),
      contactLine(kit, ['email', 'work_phone']),
    ])
    return signature([
      mark === null ? facts : row(16, [mark, facts], { verticalAlign: 'middle' }),
      // The row has a space below it already.
      mark === null ? below(16, banner()) : banner(),
      below(12, socialRow(kit, { size: 24, gap: 8, discs: true })),
    ])
  },
}
