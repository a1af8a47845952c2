// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/replay/replay_dialog.h"

#include "dialogs/replay/verdicts_model.h"
#include "text/words.h"
#include "theme/theme.h"
#include "widgets/card.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

namespace outbox::ui {

ReplayDialog::ReplayDialog(api::ConsolePort &port, const ReplayChoice &choice, QWidget *parent)
    : QDialog(parent), port_(port), choice_(choice), run_(new ReplayRun(port, this)), verdicts_(new VerdictsModel(this))
{
    setWindowTitle(tr("Replay dead letters"));
    setModal(true);
    resize(880, 620);
    pages_ = new QStackedWidget(this);
    pages_->addWidget(makeWhat());
    pages_->addWidget(makeWhy());
    pages_->addWidget(makeResult());
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(makeSteps());
    middle->addWidget(makeLine(Qt::Vertical, this));
    middle->addWidget(pages_, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(makeLine(Qt::Horizontal, this));
    layout->addLayout(middle, 1);
    layout->addWidget(makeLine(Qt::Horizontal, this));
    layout->addWidget(makeFoot());

    connect(run_, &ReplayRun::collecting, this, [this](qsizetype records) {
        whatText_->setText(tr("Making the list: %1 so far.").arg(text::records(records)));
    });
    connect(run_, &ReplayRun::frozen, this, &ReplayDialog::showList);
    connect(run_, &ReplayRun::failed, this, [this](const QString &problem) {
        if (step_ == result)
            return showEnd(problem);
        whatTitle_->setText(tr("The list could not be made"));
        whatText_->setText(problem);
    });
    connect(run_, &ReplayRun::progressed, this, [this](const QList<api::ReplayVerdict> &verdicts) {
        verdicts_->append(verdicts);
        progress_->setValue(int(run_->done()));
        resultText_->setText(tr("%1 of %2").arg(text::number(run_->done()), text::records(run_->records().size())));
    });
    connect(run_, &ReplayRun::finished, this, [this] { showEnd({}); });
    go(what);
    run_->freeze(choice_);
}

bool ReplayDialog::changedAnything() const { return verdicts_->replayed() > 0; }

void ReplayDialog::showList()
{
    frozen_ = true;
    const auto &records = run_->records();
    whatTitle_->setText(records.size() == 1 ? tr("This record goes back to pending")
                                            : tr("These %1 go back to pending").arg(text::records(records.size())));
    whatText_->setText(
        tr("The list is frozen now: records that fail from now on do not join. Each keeps its id and its payload, "
           "and its attempts begin anew. What was delivered before may be delivered a second time."));
    QMap<QString, qsizetype> counts;
    for (const api::RecordRow &row : records) {
        const auto *dead = std::get_if<DeadLetter>(&row.state);
        counts[tr("%1 · to %2 · %3")
                   .arg(text::typeName(row.type, row.version), text::destinationName(row.destination),
                        dead ? text::causeText(dead->cause) : text::stateText(kindOf(row.state)))] += 1;
    }
    constexpr int mostLines = 8;
    int line = 0;
    for (auto each = counts.cbegin(); each != counts.cend() && line < mostLines; ++each, ++line) {
        auto *row = new QHBoxLayout;
        auto *count = makeHeading(text::number(each.value()), this);
        count->setMinimumWidth(56);
        count->setAlignment(Qt::AlignRight);
        row->addWidget(count);
        row->addSpacing(8);
        auto *name = new QLabel(each.key(), this);
        name->setTextFormat(Qt::PlainText);
        row->addWidget(name, 1);
        groups_->addLayout(row);
        groups_->addWidget(makeLine(Qt::Horizontal, this));
    }
    if (counts.size() > mostLines)
        groups_->addWidget(makeCaption(tr("and %1 more groups").arg(counts.size() - mostLines), this));
    const bool typed = records.size() > typedAbove;
    typedTitle_->setVisible(typed);
    typed_->setVisible(typed);
    typedTitle_->setText(tr("Type the number of records, %1, to confirm").arg(records.size()));
    check();
}

void ReplayDialog::go(Step step)
{
    step_ = step;
    pages_->setCurrentIndex(step);
    const QStringList names{tr("What"), tr("Who and why"), tr("Result")};
    for (int i = 0; i < steps_.size(); ++i) {
        const QString sign = i < step    ? QStringLiteral("✓ ")
                             : i == step ? QStringLiteral("➜ ")
                                         : QStringLiteral("    ");
        steps_[i]->setText(sign + names[i]);
        steps_[i]->setProperty("look", i < step    ? QStringLiteral("done")
                                       : i == step ? QStringLiteral("current")
                                                   : QStringLiteral("secondary"));
        steps_[i]->style()->polish(steps_[i]);
    }
    back_->setVisible(step == why);
    copy_->setVisible(step == result);
    if (step == why)
        reason_->setFocus();
    check();
}

void ReplayDialog::check()
{
    const qsizetype count = run_->records().size();
    const bool mayReplay = port_.storeStatus().mayReplay;
    QString problem;
    if (step_ == what)
        problem = !frozen_ ? tr("The list is being made.") : count == 0 ? tr("There is nothing to replay.") : QString();
    else if (!mayReplay)
        problem = tr("The role %1 may not replay; it needs outbox_operator.").arg(port_.storeStatus().role);
    else if (reason_->toPlainText().trimmed().isEmpty())
        problem = tr("Say what was repaired, so that the next person can tell.");
    else if (count > typedAbove && typed_->text().trimmed() != QString::number(count))
        problem = tr("Type the number of records to confirm.");
    forward_->setText(step_ == what ? tr("Continue")
                      : count == 1  ? tr("Replay 1 record")
                                    : tr("Replay %1").arg(text::records(count)));
    forward_->setEnabled(problem.isEmpty() && step_ != result);
    forward_->setVisible(step_ != result);
    forward_->setToolTip(problem);
    forward_->setAccessibleDescription(problem);
    forward_->setAccessibleName(forward_->text());
    hint_->setText(problem.isEmpty() ? tr("Kept with each record, together with the actor and the time.") : problem);
    cancel_->setText(step_ != result ? tr("Cancel") : run_->isRunning() ? tr("Stop") : tr("Close"));
    cancel_->setAccessibleName(cancel_->text());
}

void ReplayDialog::run()
{
    progress_->setRange(0, int(run_->records().size()));
    progress_->setValue(0);
    progress_->show();
    resultTitle_->setText(tr("Replaying"));
    resultText_->setText(tr("0 of %1").arg(text::records(run_->records().size())));
    run_->start(reason_->toPlainText().trimmed());
    go(result);
    cancel_->setFocus();
}

void ReplayDialog::showEnd(const QString &problem)
{
    progress_->hide();
    const qsizetype left = run_->records().size() - run_->done();
    resultTitle_->setText(problem.isEmpty() ? tr("%1 replayed").arg(text::records(verdicts_->replayed()))
                                            : tr("It ended before the end"));
    QStringList words;
    if (!problem.isEmpty())
        words.append(problem);
    if (!problem.isEmpty() && verdicts_->replayed() > 0)
        words.append(tr("%1 were replayed before.").arg(text::records(verdicts_->replayed())));
    if (verdicts_->refused() > 0)
        words.append(tr("%1 left as they are; the list says why.").arg(text::records(verdicts_->refused())));
    if (left > 0)
        words.append(tr("%1 without a verdict.").arg(text::records(left)));
    if (!run_->actor().isEmpty())
        words.append(tr("Kept in the audit as done by %1.").arg(run_->actor()));
    resultText_->setText(words.join(u' '));
    check();
}

void ReplayDialog::reject()
{
    if (run_->isRunning()) {
        run_->stop();
        resultTitle_->setText(tr("Stopping after this part"));
        return;
    }
    QDialog::reject();
}

} // namespace outbox::ui
