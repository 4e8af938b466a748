// A signature with every type of block, as a starting point for integrators.
import type { Block } from './blocks/index.ts'
import type { Content } from './content.ts'

/** The ids of the built-in smart fields of a workspace. */
export interface ExampleFields {
  readonly firstName: string
  readonly lastName: string
  readonly jobTitle: string
  readonly company: string
  readonly workPhone: string
  readonly email: string
  readonly calendarLink: string
  readonly profilePicture: string
}

const dark = { fontFamily: 'Arial', fontSize: 16, fontWeight: 'bold', lineHeight: 22 } as const
const plain = { fontFamily: 'Arial', fontSize: 13, lineHeight: 18 } as const
const accent = '#2f80ed'

export const exampleContent = (fields: ExampleFields): Content => ({
  id: 'root',
  type: 'stack',
  visible: true,
  displayName: 'Signature',
  direction: 'column',
  blockStyle: { gap: 12, width: 480 },
  children: [
    personBlock(fields),
    { id: 'separator', type: 'divider', color: '#d0d5dd', thickness: 1 },
    socialBlock(),
    meetingBlock(fields),
    { id: 'contact-card', type: 'qrCode', content: 'vcard', size: 96, color: '#101828' },
    { id: 'banner', type: 'marketing', align: 'left' },
    footerBlock(),
  ],
})

const personBlock = (fields: ExampleFields): Block => ({
  id: 'person',
  type: 'stack',
  direction: 'row',
  verticalAlign: 'middle',
  blockStyle: { gap: 16 },
  children: [
    {
      id: 'photo',
      type: 'image',
      smartFieldUuid: fields.profilePicture,
      alt: 'Portrait',
      width: 80,
      height: 80,
      shape: 'circle',
    },
    { id: 'line', type: 'divider', direction: 'vertical', color: accent, thickness: 2 },
    {
      id: 'facts',
      type: 'stack',
      direction: 'column',
      blockStyle: { gap: 4 },
      children: [
        {
          id: 'name',
          type: 'text',
          tokens: [
            { id: 'first-name', type: 'textToken', smartFieldUuid: fields.firstName, textStyle: dark },
            {
              id: 'last-name',
              type: 'textToken',
              smartFieldUuid: fields.lastName,
              prefix: ' ',
              textStyle: dark,
            },
          ],
        },
        {
          id: 'title',
          type: 'text',
          tokens: [
            {
              id: 'job-title',
              type: 'smartFieldToken',
              smartFieldUuid: fields.jobTitle,
              textStyle: plain,
            },
            {
              id: 'company',
              type: 'textToken',
              smartFieldUuid: fields.company,
              prefix: ', ',
              fallback: 'Our company',
              textStyle: plain,
            },
          ],
        },
        {
          id: 'contacts',
          type: 'list',
          direction: 'column',
          children: [
            {
              id: 'phone',
              type: 'listItem',
              children: [
                { id: 'phone-label', type: 'listItemLabel', icon: 'phone', color: accent },
                {
                  id: 'phone-text',
                  type: 'text',
                  tokens: [
                    {
                      id: 'phone-number',
                      type: 'textToken',
                      smartFieldUuid: fields.workPhone,
                      textStyle: plain,
                    },
                  ],
                },
              ],
            },
            {
              id: 'email',
              type: 'listItem',
              children: [
                {
                  id: 'email-label',
                  type: 'listItemLabel',
                  tokens: [{ id: 'email-word', type: 'textToken', value: 'Mail', textStyle: plain }],
                },
                {
                  id: 'email-text',
                  type: 'text',
                  tokens: [
                    {
                      id: 'email-address',
                      type: 'textToken',
                      smartFieldUuid: fields.email,
                      textStyle: plain,
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
})

const socialBlock = (): Block => ({
  id: 'social',
  type: 'socialList',
  iconSize: 24,
  backgroundColor: accent,
  shape: 'circle',
  children: [
    {
      id: 'linkedin',
      type: 'socialListItem',
      name: 'linkedin-in',
      href: { text: 'https://www.linkedin.com/company/example' },
    },
    {
      id: 'youtube',
      type: 'socialListItem',
      name: 'youtube',
      href: { text: 'https://www.youtube.com/@example' },
    },
  ],
})

const meetingBlock = (fields: ExampleFields): Block => ({
  id: 'meeting',
  type: 'button',
  backgroundColor: '#1f5fbf',
  borderRadius: 6,
  tokens: [
    {
      id: 'meeting-label',
      type: 'textToken',
      value: 'Book a meeting',
      textStyle: { ...plain, color: '#ffffff', fontWeight: 'bold' },
    },
  ],
  href: {
    text: 'https://example.com/meet',
    smartFieldUuid: fields.calendarLink,
    queryParams: [{ id: 'source', key: 'utm_source', values: [{ id: 'source-value', text: 'signature' }] }],
  },
})

const footerBlock = (): Block => ({
  id: 'footer',
  type: 'stack',
  direction: 'row',
  verticalAlign: 'middle',
  blockStyle: { gap: 8 },
  children: [
    { id: 'leaf', type: 'icon', name: 'leaf', size: 16, color: '#219653' },
    {
      id: 'note',
      type: 'text',
      tokens: [
        {
          id: 'note-words',
          type: 'textToken',
          value: 'Please consider the environment before printing.',
          textStyle: { ...plain, fontSize: 11, lineHeight: 16, color: '#667085' },
        },
      ],
    },
  ],
})
