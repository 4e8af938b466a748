import type { Design } from '../design.ts'
import { brandLine, contactLine, iconRows, letterLine, letterRows } from '../parts/contacts.ts'
import {
  accentRule,
  barred,
  below,
  column,
  group,
  padding,
  readingWidth,
  row,
  rule,
  signature,
} from '../parts/layout.ts'
import { logo, portrait, socialRow } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'

export const corporateDesigns: readonly Design[] = [
  {
    id: 'corporate-classic',
    name: 'Classic',
    description: 'A round portrait, a line in the brand colour, and contact data with icons.',
    category: 'corporate',
    build: kit =>
      signature([
        row(16, [
          portrait(kit, 96),
          barred(
            kit,
            column([
              nameLine(kit),
              roleLine(kit, 'job_title'),
              roleLine(kit, 'company', { bold: true, color: kit.palette.text }),
              below(12, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email', 'website'], gap: 0 })),
              below(12, socialRow(kit, { most: 3 })),
            ]),
          ),
        ]),
      ]),
  },
  {
    id: 'corporate-profile',
    name: 'Profile',
    description: 'Portrait and social profiles at the left of a fine line, contact data at its right.',
    category: 'corporate',
    build: kit =>
      signature([
        row(20, [
          column(
            [
              portrait(kit, 100),
              below(12, socialRow(kit, { size: 24, gap: 8, discs: true, align: 'center', most: 3 })),
            ],
            { align: 'center' },
          ),
          barred(
            kit,
            column([
              nameLine(kit),
              roleLine(kit, 'job_title', { color: kit.palette.accent }),
              below(
                12,
                iconRows(kit, {
                  keys: ['work_phone', 'mobile_phone', 'email', 'website'],
                  gap: 0,
                  iconColor: kit.palette.muted,
                }),
              ),
            ]),
            { thickness: 1, gap: 20, color: kit.palette.line },
          ),
        ]),
      ]),
  },
  {
    id: 'corporate-letterhead',
    name: 'Letterhead',
    description: 'The logo at the left of a fine line, everything else in calm lines of text.',
    category: 'corporate',
    build: kit => {
      const mark = logo(kit, 128, 72)
      const facts = column([
        nameLine(kit),
        roleLine(kit, 'job_title'),
        mark === null ? roleLine(kit, 'company') : null,
        below(8, contactLine(kit, ['email'])),
        letterLine(kit, ['work_phone', 'mobile_phone']),
        ...group(8, [
          brandLine(kit, 'website'),
          brandLine(kit, 'address', { size: 'small', color: kit.palette.muted }),
        ]),
      ])
      const line = { thickness: 1, gap: 20, color: kit.palette.line }
      return signature(
        [
          mark === null
            ? barred(kit, facts)
            : row(20, [mark, barred(kit, facts, line)], { verticalAlign: 'middle' }),
          below(12, legalLine(kit)),
        ],
        kit.legal === null ? {} : readingWidth,
      )
    },
  },
  {
    id: 'corporate-accent-bar',
    name: 'Accent bar',
    description: 'A strong bar in the brand colour, a large name, and contact data with icons.',
    category: 'corporate',
    build: kit =>
      signature([
        barred(
          kit,
          column([
            nameLine(kit, { size: 'title' }),
            roleLine(kit, 'job_title', { size: 'lead', color: kit.palette.accent }),
            roleLine(kit, 'department'),
            below(12, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 })),
          ]),
          { thickness: 4 },
        ),
        below(16, logo(kit, 140, 40)),
      ]),
  },
  {
    id: 'corporate-card',
    name: 'Business card',
    description: 'A card with a fine border: portrait and name above, contact data below a line.',
    category: 'corporate',
    build: kit => {
      const frame = { borderColor: kit.palette.line, borderWidth: 1, borderRadius: 8, ...padding(20, 24) }
      return signature([
        column(
          [
            row(
              16,
              [
                portrait(kit, 64),
                column([
                  nameLine(kit),
                  roleLine(kit, 'job_title', { color: kit.palette.accent }),
                  roleLine(kit, 'company'),
                ]),
              ],
              { wrap: false, verticalAlign: 'middle' },
            ),
            below(16, rule(kit)),
            below(16, iconRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'] })),
          ],
          { displayName: 'Card', blockStyle: frame },
        ),
      ])
    },
  },
  {
    id: 'corporate-executive',
    name: 'Executive',
    description: 'A large name over a short accent line, with the portrait at the right.',
    category: 'corporate',
    build: kit =>
      signature([
        row(16, [
          column([
            nameLine(kit, { size: 'title' }),
            roleLine(kit, 'job_title', { size: 'lead' }),
            below(8, accentRule(kit, 40, 3)),
            below(12, letterRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 })),
          ]),
          portrait(kit, 120, 'rounded'),
        ]),
        logo(kit, 140, 40),
      ]),
  },
]
