import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { below, readingWidth, rule, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine, spaced } from '../parts/text.ts'
import { confidentiality } from './legal-counsel.ts'

export const legalChambers: Design = {
  id: 'legal-chambers',
  name: 'Chambers',
  description: 'The logo and the firm above a line, the person below it, and the notice.',
  category: 'legal',
  build: kit =>
    signature(
      [
        logo(kit, 160, 44),
        below(8, roleLine(kit, 'company', { ...spaced, color: kit.palette.accent })),
        below(8, rule(kit)),
        below(12, nameLine(kit)),
        roleLine(kit, 'job_title'),
        roleLine(kit, 'department'),
        below(12, iconRows(kit, { keys: ['work_phone', 'email', 'address'], iconColor: kit.palette.muted })),
        below(12, rule(kit)),
        below(12, legalLine(kit, confidentiality)),
      ],
      readingWidth,
    ),
}
