import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { column, row, rule, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { logo } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesBanner: Design = {
  id: 'sales-banner',
  name: 'Campaign first',
  description: 'Few words above a line, then the banner of the running campaign in full width.',
  category: 'sales',
  build: kit =>
    signature(12, [
      row(
        32,
        [
          column(0, [
            nameLine(kit, { size: 'lead' }),
            roleLine(kit, 'job_title'),
            contactLine(kit, ['work_phone', 'email']),
          ]),
          button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Talk to me', {
            variant: 'outline',
            radius: 16,
          }),
        ],
        { verticalAlign: 'middle' },
      ),
      rule(kit),
      { type: 'marketing', displayName: 'Campaign banner' },
      logo(kit, 120, 32),
    ]),
}
