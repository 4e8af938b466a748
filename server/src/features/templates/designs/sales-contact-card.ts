import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesContactCard: Design = {
  id: 'sales-contact-card',
  name: 'Contact card',
  description: 'A QR code and a button that save the contact data in the address book of a phone.',
  category: 'sales',
  build: kit =>
    signature(0, [
      row(24, [
        { type: 'qrCode', displayName: 'Contact card', content: 'vcard', size: 112, color: '#101828' },
        column(12, [
          column(0, [nameLine(kit), roleLine(kit, 'job_title'), roleLine(kit, 'company')]),
          iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 }),
          button(kit, { vcard: true }, 'Save my contact', { variant: 'outline' }),
        ]),
      ]),
    ]),
}
