// What programs put on the clipboard, and the words that the text editor makes of it. In `words`, `**` stands around
// bold, `_` around italic, `~` around underlined words, and links are written `[words](target)`.

export interface PastedSnippet {
  readonly from: string
  readonly html: string
  readonly text: string
  readonly words: string
}

const gmail = `<meta charset='utf-8'><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr"><div><b>Ada Moreno</b></div><div><i style="color:rgb(102,102,102);font-family:arial,helvetica">Head of Sales</i></div><div><br></div><div><font color="#0000ee"><a href="https://northbean.example/?fbclid=IwAR0abc&amp;x=1" target="_blank">northbean.example</a></font><img src="https://ci3.googleusercontent.com/mail-sig/pixel" width="1" height="1"></div></div></div>`

const outlook = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- p.MsoNormal, li.MsoNormal {margin:0cm;font-size:11.0pt;font-family:"Calibri",sans-serif;mso-fareast-language:EN-US;} --></style></head>
<body lang=DE link="#0563C1" style='tab-interval:35.4pt'>
<!--StartFragment-->

<p class=MsoNormal><b style='mso-bidi-font-weight:normal'><span lang=EN-GB
style='font-size:14.0pt;color:#1F3864;mso-ansi-language:EN-GB'>Ben&nbsp;Okafor<o:p></o:p></span></b></p>

<p class=MsoNormal><span style='mso-fareast-language:DE'>Vertrieb<o:p></o:p></span></p>

<p class=MsoNormal><o:p>&nbsp;</o:p></p>

<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span
style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><a
href="https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fnorthbean.example%2Fde&amp;data=05%7C01"><span
style='color:#0563C1;text-decoration:underline'>Webseite</span></a><span style='mso-spacerun:yes'>  </span>und <u>mehr</u><o:p></o:p></p>

<!--EndFragment-->
</body></html>`

const appleMail = `<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><div style="caret-color: rgb(0, 0, 0); font-family: Helvetica; font-size: 12px;"><span class="Apple-style-span" style="font-weight: bold;">Chloé Bernard</span><br class="Apple-interchange-newline"><span class="Apple-converted-space">&nbsp;</span>Paris<div>Tel.&nbsp;<a href="tel:+33123456789" dir="ltr" x-apple-data-detectors="true">+33 1 23 45 67 89</a></div><div><a href="x-apple-data-detectors://0">tomorrow</a></div></div><br class="Apple-interchange-newline">`

const googleDocs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-6a1c9a9e-7fff"><p dir="ltr" style="line-height:1.38;margin-top:0pt;"><span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;font-weight:400;font-style:normal;text-decoration:none;white-space:pre-wrap;">Plain </span><span style="font-size:11pt;font-weight:700;font-style:normal;text-decoration:none;white-space:pre-wrap;">bold</span><span style="font-weight:400;font-style:italic;white-space:pre-wrap;"> slanted</span></p><p dir="ltr"><span style="font-weight:400;text-decoration:underline;text-decoration-skip-ink:none;white-space:pre-wrap;">lined</span></p></b><br class="Apple-interchange-newline">`

const notion = `<meta charset='utf-8'><!-- notionvc: 8c1a6f6e-5b34 --><h3>Contact</h3><p><strong>Phone</strong>: <a href="https://www.google.com/url?q=https://northbean.example/call&amp;sa=D">call</a></p><ul><li><p>One</p></li><li><p>Two <em>or</em> three</p></li></ul>`

const libreOffice = `<!DOCTYPE html>
<html>
<head>
\t<meta http-equiv="content-type" content="text/html; charset=utf-8"/>
\t<title></title>
\t<meta name="generator" content="LibreOffice 24.2 (Linux)"/>
\t<style type="text/css">
\t\t@page { size: 21cm 29.7cm; margin: 2cm }
\t\tp { line-height: 115%; background: transparent }
\t</style>
</head>
<body lang="de-DE" dir="ltr"><p style="line-height: 100%; margin-bottom: 0cm"><font face="Liberation Serif, serif"><font size="3" style="font-size: 12pt"><b>Grüße</b>
aus Köln</font></font></p>
<p style="margin-bottom: 0cm"><br/>

</p>
<p style="margin-bottom: 0cm"><i><u>Ihr Team</u></i></p>
</body>
</html>`

const webPage = `<table class="card"><thead><tr><th>Name</th><th>Office</th></tr></thead><tbody><tr><td>Aiko</td><td>Tokyo</td></tr></tbody></table><script>alert(1)</script><style>.card{color:red}</style><ul><li>First<ul><li>Nested</li></ul></li><li><a href="javascript:alert(1)">Bad</a> and <a href="mailto:aiko@northbean.example">mail</a></li></ul><p style="display:none">secret</p><svg><text>drawn</text></svg>`

const vsCode = `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: 'Fira Code', Menlo, monospace;font-weight: normal;font-size: 13px;line-height: 20px;white-space: pre;"><div><span style="color: #569cd6;">const</span><span style="color: #d4d4d4;"> office </span><span style="color: #ce9178;">'Berlin'</span></div><br><div><span style="color: #6a9955;">// end</span></div></div>`

const slack = `<meta charset='utf-8'><span style="color: rgb(29, 28, 29); font-family: Slack-Lato, sans-serif; font-size: 15px; font-weight: 400; white-space: normal; display: inline !important;">See<span>&nbsp;</span></span><b data-stringify-type="bold" style="box-sizing: inherit; font-weight: 700;">this</b><span>&nbsp;</span><a target="_blank" class="c-link" data-stringify-link="https://northbean.example/a" href="https://northbean.example/a" rel="noopener noreferrer">page</a><span aria-label="&nbsp;" class="c-mrkdwn__br" data-stringify-type="paragraph-break"></span><img data-stringify-type="emoji" alt=":wave:" src="https://a.slack-edge.com/wave.png">`

export const pastedSnippets: readonly PastedSnippet[] = [
  {
    from: 'Gmail',
    html: gmail,
    text: '',
    words: '**Ada Moreno**\n_Head of Sales_\n\n[northbean.example](https://northbean.example/?x=1)',
  },
  {
    from: 'Outlook',
    html: outlook,
    text: '',
    words: '**Ben Okafor**\nVertrieb\n\n[Webseite](https://northbean.example/de) und ~mehr~',
  },
  {
    from: 'Apple Mail',
    html: appleMail,
    text: '',
    words: '**Chloé Bernard**\nParis\nTel. [+33 1 23 45 67 89](tel:+33123456789)\ntomorrow',
  },
  { from: 'Google Docs', html: googleDocs, text: '', words: 'Plain **bold** _slanted_\n~lined~' },
  {
    from: 'Notion',
    html: notion,
    text: '',
    words: 'Contact\n**Phone**: [call](https://northbean.example/call)\nOne\nTwo _or_ three',
  },
  { from: 'LibreOffice', html: libreOffice, text: '', words: '**Grüße** aus Köln\n\n_~Ihr Team~_' },
  {
    from: 'a web page',
    html: webPage,
    text: '',
    words: 'Name Office\nAiko Tokyo\nFirst\nNested\nBad and [mail](mailto:aiko@northbean.example)',
  },
  { from: 'VS Code', html: vsCode, text: '', words: "const office 'Berlin'\n\n// end" },
  { from: 'Slack', html: slack, text: '', words: 'See **this** [page](https://northbean.example/a)' },
  {
    from: 'a plain text',
    html: '',
    text: 'Name:\tAda\r\nRoom:\t\t12\n\n\n\nEnd',
    words: 'Name: Ada\nRoom: 12\n\nEnd',
  },
]

interface StoredToken {
  readonly value?: string
  readonly textStyle?: Readonly<Record<string, unknown>>
  readonly href?: { readonly text?: string }
}

/** White space at the edges of a run belongs to no style. */
const around = (text: string, sign: string): string =>
  text.replace(/^(\s*)(.*?)(\s*)$/s, (_, before, words, after) =>
    words === '' ? text : `${before}${sign}${words}${sign}${after}`,
  )

/** Tokens in the notation of `words`. */
export const writtenWords = (tokens: readonly StoredToken[]): string =>
  tokens
    .map(({ value = '', textStyle = {}, href }) => {
      const signs = [
        ...(textStyle.textDecoration === 'underline' ? ['~'] : []),
        ...(textStyle.fontStyle === 'italic' ? ['_'] : []),
        ...(textStyle.fontWeight === 'bold' ? ['**'] : []),
      ]
      const styled = signs.reduce(around, value)
      return href ? `[${styled}](${href.text})` : styled
    })
    .join('')
