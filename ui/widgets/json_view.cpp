// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/json_view.h"

#include "text/json_layout.h"
#include "text/words.h"
#include "theme/theme.h"

#include <QEvent>
#include <QSyntaxHighlighter>

namespace outbox::ui {

namespace {

class JsonColours final : public QSyntaxHighlighter {
public:
    JsonColours(QTextDocument *document, const QWidget *owner) : QSyntaxHighlighter(document), owner_(owner) {}

protected:
    void highlightBlock(const QString &line) override
    {
        const theme::Colours &c = theme::coloursOf(owner_->palette());
        for (qsizetype at = 0; at < line.size();) {
            const qsizetype from = at;
            if (line[at] == u'"') {
                for (++at; at < line.size() && line[at] != u'"'; at += line[at] == u'\\' ? 2 : 1) {
                }
                at = std::min(at + 1, line.size());
                const bool key = at < line.size() && line[at] == u':';
                paint(from, at, key ? c.pending : c.dispatched);
            } else if (line[at] == u'-' || line[at].isDigit()) {
                while (at < line.size() && (line[at].isLetterOrNumber() || QStringLiteral("+-.").contains(line[at])))
                    ++at;
                paint(from, at, c.processing);
            } else if (line[at].isLetter()) {
                while (at < line.size() && line[at].isLetter())
                    ++at;
                paint(from, at, c.deadLetter);
            } else {
                ++at;
            }
        }
    }

private:
    void paint(qsizetype from, qsizetype to, const QColor &colour) { setFormat(int(from), int(to - from), colour); }

    const QWidget *owner_;
};

} // namespace

JsonView::JsonView(QWidget *parent) : QPlainTextEdit(parent), colours_(new JsonColours(document(), this))
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFont(theme::codeFont());
    setProperty("look", QStringLiteral("bare"));
    setLineWrapMode(QPlainTextEdit::WidgetWidth);
    document()->setDocumentMargin(0);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setAccessibleName(tr("Payload"));
}

void JsonView::show(const QByteArray &payload)
{
    if (payload == payload_ && !document()->isEmpty())
        return;
    payload_ = payload;
    const text::JsonLayout layout = text::layOutJson(payload, 64 * 1024);
    setPlainText(layout.cut ? tr("The first 64 KiB of %1 KiB. Copy gives all of it.\n\n%2")
                                  .arg(text::number(payload.size() / 1024), layout.text)
                            : layout.text);
}

void JsonView::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && colours_)
        colours_->rehighlight();
}

} // namespace outbox::ui
