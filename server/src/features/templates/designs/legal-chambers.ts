import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { column, row, rule, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'
import { confidentiality } from './legal-counsel.ts'

export const legalChambers: Design = {
  id: 'legal-chambers',
  name: 'Chambers',
  description: 'The firm above a line, the person below it, contact data in two columns and the notice.',
  category: 'legal',
  build: kit => {
    const firm = { size: 'small', bold: true, letterSpacing: 1, textTransform: 'uppercase' } as const
    return signature(12, [
      logo(kit, 160, 44),
      roleLine(kit, 'company', { ...firm, color: kit.palette.accent }),
      rule(kit),
      column(0, [nameLine(kit), roleLine(kit, 'job_title'), roleLine(kit, 'department')]),
      row(24, [
        iconRows(kit, { keys: ['work_phone', 'mobile_phone'], iconColor: kit.palette.muted }),
        iconRows(kit, { keys: ['email', 'website'], iconColor: kit.palette.muted }),
      ]),
      rule(kit),
      legalLine(kit, confidentiality),
    ])
  },
}
