import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { column, rule, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'

export const confidentiality =
  'This message is confidential and may be legally privileged. If you are not the intended recipient, please tell the sender and delete it.'

export const legalCounsel: Design = {
  id: 'legal-counsel',
  name: 'Counsel',
  description: 'A serif name over a fine line, direct lines with labels, and the confidentiality notice.',
  category: 'legal',
  build: kit => {
    const serif = kit.font ?? 'Georgia'
    return signature(12, [
      column(0, [
        nameLine(kit, { font: serif, size: 'title', bold: false }),
        roleLine(kit, 'job_title', { font: serif, size: 'lead', fontStyle: 'italic' }),
        roleLine(kit, 'department', { font: serif }),
      ]),
      rule(kit, { color: kit.palette.fill }),
      letterRows(
        kit,
        { font: serif },
        { work_phone: 'Direct', mobile_phone: 'Mobile', email: 'Email', website: 'Web', address: 'Office' },
      ),
      logo(kit, 140, 36),
      legalLine(kit, confidentiality),
    ])
  },
}
