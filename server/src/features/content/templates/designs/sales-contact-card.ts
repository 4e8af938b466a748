import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { below, column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { nameLine, roleLine } from '../parts/text.ts'

/** A card with all data has 69 modules with its margin: each is more than two pixels wide. */
export const codeSize = 148
export const codeColor = '#101828'

export const salesContactCard: Design = {
  id: 'sales-contact-card',
  name: 'Contact card',
  description: 'A QR code and a button that save the contact data in the address book of a phone.',
  category: 'sales',
  build: kit =>
    signature([
      row(20, [
        { type: 'qrCode', displayName: 'Contact card', content: 'vcard', size: codeSize, color: codeColor },
        column([
          below(3, nameLine(kit)),
          roleLine(kit, 'job_title'),
          below(8, letterRows(kit, { keys: ['work_phone', 'email'], gap: 0 })),
          below(12, button(kit, { vcard: true }, 'Save my contact', { variant: 'outline' })),
        ]),
      ]),
    ]),
}
