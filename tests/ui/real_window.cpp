// SPDX-License-Identifier: Apache-2.0
#include "real_window.h"

#include "theme/theme.h"

#include <QApplication>
#include <QLocale>
#include <QSignalSpy>

namespace outbox::test {

RealWindow::RealWindow(TestStore &store, Login login, dispatch::WorkerSettings settings,
                       delivery::DestinationCatalogue catalogue)
{
    QLocale::setDefault(QLocale(QLocale::English));
    ui::theme::apply(*qApp, ui::theme::Scheme::light);
    runtime_ =
        std::make_unique<runtime::ConsoleRuntime>(store.address(login), std::move(settings), std::move(catalogue));
    window_ = std::make_unique<ui::MainWindow>(*runtime_);
    window_->feed().setInterval(milliseconds{100});
    window_->show();
}

RealWindow::~RealWindow()
{
    window_.reset();
    QSignalSpy ended(runtime_.get(), &runtime::ConsoleRuntime::ended);
    runtime_->end();
    if (ended.isEmpty())
        ended.wait(30'000);
}

ui::Page &RealWindow::page(const QString &id)
{
    window_->showPage(id);
    const auto catalogue = ui::pageCatalogue();
    int index = 0;
    while (catalogue[index].id != id)
        ++index;
    return *window_->page(index);
}

void stageMany(TestStore &store, const QString &type, int count)
{
    store.run(
        QStringLiteral("select outbox.stage('journey_step_command', ?, 1, '{\"n\":' || n || ',\"amount\":12.50}') "
                       "from generate_series(1, ?) n"),
        {type, count});
}

void failAll(TestStore &store, const QString &type, const QString &cause, const QString &reason)
{
    store.run(
        QStringLiteral("with gone as (delete from outbox.pending p using outbox.lane l "
                       "              where l.lane = p.lane and l.type = ? returning p.*), "
                       "dead as (insert into outbox.dead_letter (id, lane, attempt, worker, failed_at, cause, reason) "
                       "         select id, lane, 1, 1, clock_timestamp(), ?, ? from gone) "
                       "insert into outbox.attempt (id, number, worker, fence, started_at, ended_at, cause, summary) "
                       "select id, 1, 1, 1, staged_at, clock_timestamp(), ?, ? from gone"),
        {type, cause, reason, cause, reason});
}

} // namespace outbox::test
