// Prompts: work that a user can start by name.
import type { JsonRecord } from './api.ts'
import { invalidParams } from './backend-error.ts'
import { recordOf } from './requests.ts'

const designSignature = {
  name: 'design_signature',
  title: 'Design a signature',
  description: 'From a description to a signature that is checked and ready to be published.',
  arguments: [
    { name: 'wishes', description: 'How it should look, and what it should say.', required: true },
    { name: 'recipients', description: 'Who gets it, for example "all people in sales".', required: false },
  ],
}

const maxLength = 4_000

const textOf = (wishes: string, recipients: string): string => `Design an email signature in Signoff.

Wishes of the user:
${wishes}
${recipients === '' ? '' : `\nRecipients:\n${recipients}\n`}
Work in these steps:
1. get_workspace for the brand, list_smart_fields for the values of people, list_assets for the logo and portraits.
2. list_templates, and create_signature with the template_id that comes closest. Write content yourself (get_content_schema) only where no template fits.
3. Adapt the draft to the wishes: get_signature, then update_signature with the whole changed draft_content. If it is refused, correct the paths that the error names.
4. preview_signature after each change: look at the picture, also with theme "dark" and width "phone", and with the email_id of a person with long values and of one with few values (list_teammates). Keep installed_bytes under 10,000.
5. ${recipients === '' ? 'Ask the user who gets the signature, then set_recipients.' : 'set_recipients for the recipients above.'}
6. check_signature, and mend what it finds.
7. Show the user the result and ask before publish_signature. After publishing, list_installations shows how far it is.`

export const listPrompts = (): readonly JsonRecord[] => [designSignature]

export function getPrompt(params: JsonRecord): JsonRecord {
  if (params.name !== designSignature.name) throw invalidParams('There is no such prompt.')
  const { wishes, recipients = '' } = recordOf(params.arguments)
  if (typeof wishes !== 'string' || wishes.trim() === '') throw invalidParams('wishes is required.')
  if (typeof recipients !== 'string' || wishes.length + recipients.length > maxLength)
    throw invalidParams(`wishes and recipients are texts of at most ${maxLength} characters together.`)
  return {
    description: designSignature.description,
    messages: [{ role: 'user', content: { type: 'text', text: textOf(wishes.trim(), recipients.trim()) } }],
  }
}
