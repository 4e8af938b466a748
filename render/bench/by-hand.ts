// The typical signature as hand-written string concatenation for this single layout. The renderer is compared with it.
import type { RenderHooks } from '../src/index.ts'
import type { TypicalPerson } from './typical.ts'

const special = /[&<>"']/
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  special.test(text) ? text.replace(/[&<>"']/g, match => entities[match] ?? '') : text

export function byHand(
  { first, last, title, company, phone, email }: TypicalPerson,
  { link = ({ url }) => url, pixel = () => '' }: RenderHooks,
): { html: string; text: string } {
  const html =
    '<table role="presentation" cellpadding="0" cellspacing="0" border="0" width="600" style="border-collapse:collapse;border-spacing:0;width:auto;max-width:600px"><tr><td style="padding:0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;border-spacing:0"><tr><td valign="top" style="padding:0;vertical-align:top"><img src="https://sign.acme.example/files/photo5Yb0c9Qe-80.png" width="80" height="80" alt="Portrait" border="0" style="display:block;width:80px;height:80px;min-width:80px;max-width:100%"></td><td width="16" style="padding:0;width:16px;font-size:0;mso-line-height-rule:exactly;line-height:0">&nbsp;</td><td valign="top" style="padding:0;vertical-align:top"><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;border-spacing:0"><tr><td style="padding:0;font-size:16px;mso-line-height-rule:exactly;line-height:22px;color:#1f5fbf"><span style="font-family:Arial,Helvetica,sans-serif;font-size:16px;color:#1f5fbf;font-weight:bold">' +
    escapeHtml(first) +
    ' ' +
    escapeHtml(last) +
    '</span></td></tr><tr><td style="padding:4px 0 0;font-size:13px;mso-line-height-rule:exactly;line-height:18px;color:#667085"><span style="font-family:Arial,Helvetica,sans-serif;font-size:13px;color:#667085">' +
    escapeHtml(title) +
    '</span></td></tr><tr><td style="padding:4px 0 0;font-size:13px;mso-line-height-rule:exactly;line-height:18px;color:#667085"><span style="font-family:Arial,Helvetica,sans-serif;font-size:13px;color:#667085;font-weight:bold">' +
    escapeHtml(company) +
    '</span></td></tr><tr><td style="padding:4px 0 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;border-spacing:0"><tr><td valign="top" style="padding:1px 8px 0 0;vertical-align:top"><img src="https://sign.acme.example/icons/phone-16-1f5fbf-1a2b3c4d.png" width="16" height="16" alt="" border="0" style="display:block;width:16px;height:16px"></td><td valign="top" style="padding:0;vertical-align:top;font-size:13px;mso-line-height-rule:exactly;line-height:18px;color:#667085"><a href="tel:' +
    phone.replace(/[^+\d]/g, '') +
    '" style="color:#667085;text-decoration:none"><span style="font-family:Arial,Helvetica,sans-serif;font-size:13px;color:#667085;text-decoration:none">' +
    escapeHtml(phone) +
    '</span></a></td></tr><tr><td valign="top" style="padding:5px 8px 0 0;vertical-align:top"><img src="https://sign.acme.example/icons/envelope-16-1f5fbf-1a2b3c4d.png" width="16" height="16" alt="" border="0" style="display:block;width:16px;height:16px"></td><td valign="top" style="padding:4px 0 0;vertical-align:top;font-size:13px;mso-line-height-rule:exactly;line-height:18px;color:#667085"><a href="mailto:' +
    escapeHtml(email) +
    '" style="color:#667085;text-decoration:none"><span style="font-family:Arial,Helvetica,sans-serif;font-size:13px;color:#667085;text-decoration:none">' +
    escapeHtml(email) +
    '</span></a></td></tr></table></td></tr></table></td></tr></table></td></tr><tr><td style="padding:12px 0 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%" style="border-collapse:collapse;border-spacing:0;width:100%"><tr><td height="1" bgcolor="#d0d5dd" style="padding:0;background-color:#d0d5dd;height:1px;font-size:0;mso-line-height-rule:exactly;line-height:0">&nbsp;</td></tr></table></td></tr><tr><td style="padding:12px 0 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;border-spacing:0"><tr><td style="padding:0"><a href="' +
    escapeHtml(link({ id: 'b23', url: 'https://www.linkedin.com/company/acme', campaignId: null })) +
    '" style="text-decoration:none"><img src="https://sign.acme.example/icons/linkedin-in-24-ffffff-1a2b3c4d.png" width="24" height="24" alt="LinkedIn" border="0" style="display:block;width:24px;height:24px"></a></td><td style="padding:0 0 0 8px"><a href="' +
    escapeHtml(link({ id: 'b24', url: 'https://www.facebook.com/acme', campaignId: null })) +
    '" style="text-decoration:none"><img src="https://sign.acme.example/icons/facebook-f-24-ffffff-1a2b3c4d.png" width="24" height="24" alt="Facebook" border="0" style="display:block;width:24px;height:24px"></a></td><td style="padding:0 0 0 8px"><a href="' +
    escapeHtml(link({ id: 'b25', url: 'https://www.instagram.com/acme', campaignId: null })) +
    '" style="text-decoration:none"><img src="https://sign.acme.example/icons/instagram-24-ffffff-1a2b3c4d.png" width="24" height="24" alt="Instagram" border="0" style="display:block;width:24px;height:24px"></a></td><td style="padding:0 0 0 8px"><a href="' +
    escapeHtml(link({ id: 'b26', url: 'https://www.youtube.com/@acme', campaignId: null })) +
    '" style="text-decoration:none"><img src="https://sign.acme.example/icons/youtube-24-ffffff-1a2b3c4d.png" width="24" height="24" alt="YouTube" border="0" style="display:block;width:24px;height:24px"></a></td></tr></table></td></tr><tr><td style="padding:12px 0 0"><table role="presentation" cellpadding="0" cellspacing="0" border="0" width="600" style="border-collapse:collapse;border-spacing:0;width:auto;max-width:600px"><tr><td style="padding:0"><a href="' +
    escapeHtml(link({ id: 'b29', url: 'https://acme.example/fair', campaignId: 'c1' })) +
    '" style="text-decoration:none"><img src="https://sign.acme.example/files/banner5Yb0c9Qe-480.png" width="480" height="120" alt="Summer fair" border="0" style="display:block;width:480px;height:auto;max-width:100%"></a></td></tr></table></td></tr><tr><td style="padding:0;font-size:0;mso-line-height-rule:exactly;line-height:0"><img src="' +
    escapeHtml(pixel([])) +
    '" width="1" height="1" alt="" border="0" style="display:block"></td></tr></table>'
  const lines = `${first} ${last}\n${title}\n${company}\nPhone: ${phone}\nEmail: ${email}`
  const text = `${lines}\n--------\nLinkedIn: https://www.linkedin.com/company/acme\nFacebook: https://www.facebook.com/acme\nInstagram: https://www.instagram.com/acme\nYouTube: https://www.youtube.com/@acme\nSummer fair: https://acme.example/fair`
  return { html, text }
}
